using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>A query allocates its result on the managed heap, and nothing else.</summary>
public sealed class Allocations
{
    [Theory]
    [InlineData("items.Sum(l => l.Price * l.Discount)", 0)]
    [InlineData("items.Count(l => l.Order.Priority == 2)", 0)]
    [InlineData("items.Where(l => l.Number > 10).Select(l => l.Number).ToList()", 1500 * sizeof(int))]
    [InlineData("items.GroupBy(l => l.Flag).Count()", 0)]
    [InlineData("items.Count(l => string.CompareOrdinal(l.Mode, \"RAIL\") >= 0)", 0)]
    [InlineData("items.Count(l => 0 <= string.CompareOrdinal(l.Note, l.Mode))", 0)]
    [InlineData("items.Count(l => string.Compare(l.Note, \"a note 7\", StringComparison.Ordinal) < 0 || StringComparer.Ordinal.Compare(l.Mode, \"RAIL\") > 0)", 0)]
    [InlineData("items.OrderBy(l => l.Flag).Take(7).Select(l => l.Price).ToArray()", 7 * 16)]
    [InlineData("items.GroupBy(l => l.Order).Max(g => g.Sum(l => l.Quantity))", 0)]
    public void A_kernel_allocates_only_its_result(string query, int resultBytes)
    {
        CompiledShop shop = KernelsAgreeWithLinq.Shop("Columnar");
        IDisposable data = shop.Filled("dense");
        Func<object?> run = Bind(shop, query, data);
        run();
        run();
        long before = GC.GetAllocatedBytesForCurrentThread();
        run();
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        // A boxed scalar for the test, list and array headers.
        Assert.InRange(allocated, 0, resultBytes + 160);
    }

    private static Func<object?> Bind(CompiledShop shop, string query, IDisposable data)
    {
        object items = shop.Lines(data);
        System.Reflection.MethodInfo entry = shop.Entry(query);
        object?[] arguments = [items];
        return () => entry.Invoke(null, arguments);
    }
}
