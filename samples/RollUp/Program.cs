using System.Globalization;
using RollUp;

// Four threads count sales as they come; reports read the same map meanwhile.
int sales = args is [string number, ..] ? int.Parse(number, CultureInfo.InvariantCulture) : 1_000_000;
using Totals totals = new();
Parallel.For(0, 4, thread =>
{
    foreach (Sale sale in Sale.Stream(seed: thread, count: sales / 4))
        totals.Add(sale);
});

Console.WriteLine($"{totals.Cells:N0} cells, {totals.MemoryBytes / 1024:N0} KiB outside the heap");

Console.WriteLine("January in Portugal:");
foreach ((string product, Counters sum) in totals.ByProduct("PT", new DateOnly(2026, 1, 1), new DateOnly(2026, 2, 1)))
    Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {product,-8}{sum.Sales,10:N0} sales{sum.Revenue,16:N2}"));

int removed = totals.RemoveBefore(new DateOnly(2026, 1, 20));
Console.WriteLine($"{removed:N0} cells removed, {totals.Cells:N0} left");
