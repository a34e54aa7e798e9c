using System.Globalization;
using System.Reflection;
using Smc.QueryCompiler.Tests.Generation;
using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Methods of the platform that give something else each time: two calls in a query are two calls.</summary>
public sealed class CallsWithEffects
{
    private static readonly string[] s_calls =
    [
        "System.Security.Cryptography.RandomNumberGenerator.GetInt32(1 << 30)",
        "System.Threading.Interlocked.Increment(ref Program.Calls) + 0",
        "random.Next()",
        "System.IO.Path.GetRandomFileName()",
    ];

    private static readonly Lazy<Assembly> s_program = new(() => QueryProgram.Load($$"""
        {{SomeRows.Source}}

        public static class Program
        {
            public static int Calls;

        {{string.Join("\n", s_calls.Select((call, i) => $"    public static int Q{i}(IEnumerable<LineItem> items, Random random) => Query.Run(items, random, static (items, random) => items.Select(l => new {{ A = {call}, B = {call} }}).ToList()).Count(pair => pair.A.Equals(pair.B));"))}}

            public static int Reads(IEnumerable<LineItem> items, System.Diagnostics.Stopwatch watch) => Query.Run(items, watch, static (items, watch) =>
                items.Select(l => new { A = watch.ElapsedTicks, B = watch.ElapsedTicks }).ToList()).Count(pair => pair.A != pair.B);
        }
        """));

    public static TheoryData<int, string> Numbered => new(s_calls.Select((call, i) => new TheoryDataRow<int, string>(i, call)));

    [Theory]
    [MemberData(nameof(Numbered))]
    public void A_call_that_is_written_twice_is_made_twice(int number, string call)
    {
        object items = SomeRows.Of(s_program.Value).Item1;

        object? same = s_program.Value.GetType("Shop.Program")!.GetMethod("Q" + number.ToString(CultureInfo.InvariantCulture))!.Invoke(null, [items, new Random(3)]);

        Assert.Equal((call, (object?)0), (call, same));
    }

    [Fact]
    public void A_clock_that_is_read_twice_is_read_twice()
    {
        object items = SomeRows.Of(s_program.Value).Item1;

        object? different = s_program.Value.GetType("Shop.Program")!.GetMethod("Reads")!.Invoke(null, [items, System.Diagnostics.Stopwatch.StartNew()]);

        Assert.NotEqual(0, different);
    }
}
