using System.Collections;
using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.Fuzz.Running;
using Xunit;

namespace Smc.QueryCompiler.Tests.Idioms;

/// <summary>Nothing that is common in analytics falls back, and all of it answers as LINQ does.</summary>
public sealed class AnalyticsIdioms
{
    private static readonly (string Name, string Type)[] s_parameters =
    [
        ("sales", "IEnumerable<Sale>"), ("customers", "IEnumerable<Customer>"), ("ids", "List<long>"), ("set", "HashSet<string>"), ("rates", "Dictionary<string, decimal>"),
        ("since", "DateTime"), ("tuples", "List<(string, int)>"),
    ];

    private static readonly string s_queries = "using System;\nusing System.Collections.Generic;\nusing System.Linq;\nusing Smc.Collections;\nnamespace Sales;\npublic static partial class Queries\n{\n"
        + string.Concat(IdiomQueries.All.Select((query, i) => Method(query, i) + "\n")) + "}\n";

    private static readonly Lazy<Assembly> s_program = new(() => QueryProgram.Load(SalesSource.Text, s_queries));

    public static TheoryData<int, string> Numbered
    {
        get
        {
            TheoryData<int, string> data = [];
            for (int i = 0; i < IdiomQueries.All.Length; i++)
                data.Add(i, IdiomQueries.All[i]);
            return data;
        }
    }

    [Fact]
    public async Task All_have_a_kernel()
    {
        IReadOnlyList<Diagnostic> told = await GeneratorRun.Analyze(QueryCompilation.Create(SalesSource.Text, s_queries));

        Assert.DoesNotContain(told, d => d.GetMessage(CultureInfo.InvariantCulture).Contains("LINQ to Objects", StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Numbered))]
    public void It_answers_as_LINQ_does(int number, string query)
    {
        MethodInfo ask = s_program.Value.GetType("Sales.Queries")!.GetMethod("Ask" + number.ToString(CultureInfo.InvariantCulture))!;
        MethodInfo data = s_program.Value.GetType("Sales.Data")!.GetMethod("Of")!;

        int repeats = KernelRepeats.OfThisThread;
        string actual = Answer(asCollection: true);
        bool wasRepeated = KernelRepeats.OfThisThread > repeats;
        string expected = Answer(asCollection: false);

        Assert.True(expected == actual, $"{query}\nexpected: {expected}\nactual:   {actual}");
        Assert.False(wasRepeated, $"{query}\nits kernel raised, and LINQ gave the answer");

        string Answer(bool asCollection)
        {
            try
            {
                return Text(ask.Invoke(null, [.. ask.GetParameters().Select(p => data.Invoke(null, [p.Name, asCollection]))]));
            }
            catch (TargetInvocationException raised)
            {
                return raised.InnerException!.GetType().Name;
            }
        }
    }

    private static string Method(string query, int number)
    {
        (string Name, string Type)[] used = [.. s_parameters.Where(p => Regex.IsMatch(query, $@"\b{p.Name}\b"))];
        string names = string.Join(", ", used.Select(p => p.Name));
        return $"    public static object? Ask{number}({string.Join(", ", used.Select(p => $"{p.Type} {p.Name}"))}) => Query.Run({names}, static ({names}) => {query});";
    }

    /// <summary>Sequences as multisets: the order of groups over a collection is not promised, and what is has its own tests.</summary>
    private static string Text(object? value) => value switch
    {
        null => "null",
        string text => $"\"{text}\"",
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        bool truth => truth.ToString(),
        IEnumerable elements => $"[{string.Join("; ", elements.Cast<object?>().Select(Text).Order(StringComparer.Ordinal))}]",
        _ when value.GetType().GetMethod("TryRead") is not null => value.ToString()!,
        _ => $"{{ {string.Join(", ", Members(value))} }}",
    };

    private static IEnumerable<string> Members(object value) => value.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance).Where(p => p.GetIndexParameters().Length == 0).Select(p => p.Name + " = " + Text(p.GetValue(value)))
        .Concat(value.GetType().GetFields(BindingFlags.Public | BindingFlags.Instance).Select(f => f.Name + " = " + Text(f.GetValue(value))));
}
