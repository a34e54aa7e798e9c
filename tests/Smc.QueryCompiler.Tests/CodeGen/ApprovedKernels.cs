using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Tests.Documentation;
using Xunit;

namespace Smc.QueryCompiler.Tests.CodeGen;

/// <summary>
/// Plans and kernels of queries of different kinds stand in the repository, so that a change of the compiler shows what it does to them. After one that is wanted,
/// <c>APPROVE=1 dotnet test tests/Smc.QueryCompiler.Tests</c> writes them anew; read the difference before you commit it.
/// </summary>
public sealed class ApprovedKernels
{
    public static TheoryData<string, string, string> Queries => new()
    {
        { "filters-and-a-sum", "", "items.Where(l => l.ShipDate >= new DateOnly(1995, 3, 1) && l.Discount >= 0.05m && l.Discount <= 0.07m && l.Quantity < 24).Sum(l => l.ExtendedPrice * l.Discount)" },
        { "groups-of-few-values", "", "items.GroupBy(l => new { l.ReturnFlag, l.LineStatus }).Select(g => new { g.Key.ReturnFlag, Sum = g.Sum(l => l.Quantity), Average = g.Average(l => l.Discount), Count = g.Count() }).ToList()" },
        { "groups-by-integer", "", "(from l in items let half = l.Number / 2 where half > 3 group l by l.Number into g select new { g.Key, Sum = g.Sum(l => l.Quantity) }).ToList()" },
        { "groups-by-reference", "decimal least", "items.GroupBy(l => l.Order).Where(g => g.Sum(l => l.Quantity) > least).Select(g => new { g.Key.OrderKey, Sum = g.Sum(l => l.Quantity) }).ToList()" },
        { "groups-by-text-behind-reference", "", "items.GroupBy(l => l.Order.Customer.MktSegment).Select(g => new { g.Key, Late = g.Count(l => l.Number > 3), Most = g.Max(l => l.ExtendedPrice * l.Discount) }).ToList()" },
        { "joins-on-keys", "IEnumerable<Order> orders, IEnumerable<Customer> customers", "(from l in items join o in orders.Where(o => o.ShipPriority > 3) on l.Number equals o.ShipPriority join c in customers.Where(c => c.Rating > 0) on l.Number equals c.Rating.Value select l.Quantity).Sum()" },
        { "partners-by-index", "IEnumerable<Order> orders, int number", "(from l in items where l.Number == number join o in orders.Where(o => o.OrderKey > 3) on l.Number equals o.ShipPriority select o.OrderKey).Sum()" },
        { "rows-with-a-partner", "IEnumerable<Order> orders", "orders.Count(o => items.Any(l => l.Order == o && l.Number > 3))" },
        { "pairs-of-ends", "IEnumerable<Trip> trips, int least", "trips.Where(t => t.From.Inhabitants > least && t.To.Inhabitants > least && t.From.Country == t.To.Country).Sum(t => t.Fare)" },
        { "page-of-an-order", "", "items.OrderByDescending(l => l.ExtendedPrice).ThenBy(l => l.Order.OrderDate).Skip(20).Take(10).Select(l => l.Number).ToList()" },
        { "first-of-an-order", "int least", "items.Where(l => l.Number >= least).OrderBy(l => l.Number).Take(10).Select(l => l.Weight).ToList()" },
        { "first-of-some", "int least, DateOnly before", "items.Where(l => l.Number >= least && l.ShipDate < before && l.ReturnFlag != l.LineStatus).OrderByDescending(l => l.Number).Take(10).Select(l => l.Weight).ToList()" },
        { "distinct-rows", "", "items.Select(l => l.Order).Distinct().Count()" },
        { "sliding-window", "", "items.Select(l => items.Where(m => m.Order == l.Order && m.Number > l.Number - 3 && m.Number <= l.Number).Sum(m => m.Weight)).ToList()" },
        { "part-that-runs-once", "", "items.Select(l => items.Where(m => m.Number > 90).Count(m => m.Weight < l.Weight)).ToList()" },
        { "text-behind-reference", "string word", "items.Count(l => l.Order.Comment != null && l.Order.Comment.Contains(word))" },
        { "first-of-a-kind", "int number", "items.First(l => l.Number == number).Weight" },
        { "rows-of-a-list", "int[] numbers, DateOnly before", "items.Where(l => l.ShipDate < before && numbers.Contains(l.Number)).Sum(l => l.Weight)" },
        { "rows-with-one-of-several-keys", "int number, long wide, DateOnly before", "items.Where(l => l.ShipDate < before && (l.Number == number || l.Number == 7 || wide == l.Number)).Sum(l => l.Weight)" },
        { "values-of-optional-rows", "", "items.Select(l => new { l.Number, Agent = l.Order.Agent == null ? \"none\" : l.Order.Agent.Value.Name }).ToList()" },
    };

    [Theory]
    [MemberData(nameof(Queries))]
    public void The_kernel_is_what_was_approved(string name, string parameters, string query)
    {
        string file = Path.Combine(RepositoryFiles.Root, "tests", "Smc.QueryCompiler.Tests", "CodeGen", "Approved", name + ".txt");
        string text = KernelEmitter.Emit(PlanOptimizer.Optimize(QueryCompilation.ReadQuery(query, parameters).Plan!)).SourceText.ReplaceLineEndings("\n");
        if (Environment.GetEnvironmentVariable("APPROVE") == "1")
            File.WriteAllText(file, text);
        Assert.True(File.Exists(file), $"{file} is missing: see the summary of {nameof(ApprovedKernels)}.");
        Assert.Equal(File.ReadAllText(file).ReplaceLineEndings("\n"), text);
    }
}
