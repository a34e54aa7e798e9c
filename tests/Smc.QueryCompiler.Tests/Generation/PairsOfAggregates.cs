using System.Globalization;
using System.Reflection;
using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>Two aggregates in one query, over columns of every width, read as they are and widened: every pair in one program.</summary>
public sealed class PairsOfAggregates
{
    private const string Rows = QueryCompilation.Usings + """
        namespace Shop;

        [Tabular]
        public readonly partial struct Reading
        {
            public partial sbyte SmallSigned { get; set; }
            public partial byte Small { get; set; }
            public partial short Middle { get; set; }
            public partial ushort MiddleUnsigned { get; set; }
            public partial int Whole { get; set; }
            public partial long Large { get; set; }
            [Precision(9, 2)] public partial decimal Price { get; set; }
            public partial float Ratio { get; set; }
            public partial double Weight { get; set; }
            public partial char Kind { get; set; }
        }

        public static class SomeReadings
        {
            public static Collection<Reading> Rows = Fill();

            public static IEnumerable<Reading> Hidden() { foreach (Reading row in Rows) yield return row; }

            private static Collection<Reading> Fill()
            {
                Collection<Reading> rows = new();
                for (int i = 0; i < 500; i++)
                {
                    rows.Add(smallSigned: (sbyte)(i % 50 - 25), small: (byte)(i % 200), middle: (short)(i * 3 - 700), middleUnsigned: (ushort)(i * 5), whole: i - 100,
                        large: 1_000L * i, price: i / 4m, ratio: i / 8f, weight: i / 16.0, kind: "ABC"[i % 3]);
                }

                return rows;
            }
        }
        """;

    private static readonly string[] s_aggregates =
    [
        "Sum(x => x.SmallSigned)", "Sum(x => x.Small)", "Sum(x => x.Middle)", "Sum(x => x.MiddleUnsigned)", "Sum(x => x.Whole)", "Sum(x => x.Large)", "Sum(x => x.Price)",
        "Sum(x => x.Ratio)", "Sum(x => x.Weight)",
        "Sum(x => (long)x.SmallSigned)", "Sum(x => (long)x.Small)", "Sum(x => (long)x.Middle)", "Sum(x => (long)x.MiddleUnsigned)", "Sum(x => (long)x.Whole)",
        "Sum(x => x.Small * x.Price)", "Sum(x => x.Middle * x.Price)", "Sum(x => x.Whole * x.Price)", "Sum(x => x.Whole * 2L)",
        "Average(x => x.Small)", "Average(x => x.Middle)", "Average(x => x.Whole)", "Average(x => x.Price)", "Max(x => x.Whole)", "Count(x => x.Whole > 3)",
    ];

    private static readonly Lazy<Assembly> s_program = new(() => QueryProgram.Load(Rows, QueryCompilation.Usings + $$"""
        namespace Shop;

        public static class Pairs
        {
        {{string.Join("\n", Bodies.Select((body, i) => $"    public static string Q{i}(IEnumerable<Reading> rows) => Text(Query.Run(rows, static rows => {body}));"))}}

            private static string Text(object value) => value is System.Collections.IEnumerable and not string
                ? string.Join(";", ((System.Collections.IEnumerable)value).Cast<object>().Select(Text))
                : string.Format(System.Globalization.CultureInfo.InvariantCulture, "{0}", value);
        }
        """));

    /// <summary>Each unordered pair once: half of them over all rows, half over groups.</summary>
    private static IEnumerable<string> Bodies
    {
        get
        {
            for (int i = 0; i < s_aggregates.Length; i++)
            {
                for (int k = i + 1; k < s_aggregates.Length; k++)
                {
                    yield return (i + k) % 2 == 0
                        ? $"(rows.{s_aggregates[i]}, rows.{s_aggregates[k]})"
                        : $"rows.GroupBy(x => x.Kind).OrderBy(g => g.Key).Select(g => (g.Key, A: g.{s_aggregates[i]}, B: g.{s_aggregates[k]})).ToList()";
                }
            }
        }
    }

    [Fact]
    public void Every_pair_compiles_and_answers_as_LINQ_to_Objects_does()
    {
        Type program = s_program.Value.GetType("Shop.Pairs")!, data = s_program.Value.GetType("Shop.SomeReadings")!;
        object rows = data.GetField("Rows")!.GetValue(null)!, hidden = data.GetMethod("Hidden")!.Invoke(null, [])!;

        string[] differences = [.. Bodies.Where((_, i) => !Ask(i, rows).Equals(Ask(i, hidden), StringComparison.Ordinal))];

        Assert.Empty(differences);

        string Ask(int number, object of) => (string)program.GetMethod("Q" + number.ToString(CultureInfo.InvariantCulture))!.Invoke(null, [of])!;
    }
}
