using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Handles that a compiled query converts to optional rows.</summary>
public sealed class OptionalRows
{
    private static readonly string s_source = QueryCompilation.Usings + """
        namespace Shop;

        public static class Queries
        {
            public static Customer? First(Collection<Customer> rows, string name) => Query.Run(rows, name, static (rows, name) => (Customer?)rows.FirstOrDefault(c => c.Name == name));

            public static Customer? FirstOrNull(Collection<Customer> rows, string name) => rows.FirstOrDefault(c => c.Name == name).OrNull();

            public static List<Customer?> Customers(Collection<Order> rows) => Query.Run(rows, static rows => rows.OrderBy(o => o.OrderKey).Select(o => (Customer?)o.Customer).ToList());

            public static List<Customer?> CustomersOrNull(Collection<Order> rows) => Query.Run(rows, static rows => rows.OrderBy(o => o.OrderKey).Select(o => o.Customer.OrNull()).ToList());

            public static List<bool> Answers()
            {
                using Collection<Customer> customers = new();
                using Collection<Order> orders = new();
                Customer ann = customers.Add(name: "Ann", mktSegment: "x");
                orders.Add(orderKey: 1, orderDate: default, shipPriority: 0);
                orders.Add(orderKey: 2, orderDate: default, shipPriority: 0, customer: ann);
                return
                [
                    First(customers, "Bob") is null, First(customers, "Ann") == ann,
                    FirstOrNull(customers, "Bob") is null, FirstOrNull(customers, "Ann") == ann,
                    Customers(orders)[0] is null, Customers(orders)[1] == ann,
                    CustomersOrNull(orders)[0] is null, CustomersOrNull(orders)[1] == ann,
                ];
            }
        }
        """;

    [Fact]
    public void The_null_handle_is_null_once_it_is_an_optional_row()
    {
        MethodInfo answers = QueryProgram.Load(s_source).GetType("Shop.Queries")!.GetMethod("Answers")!;

        Assert.All((List<bool>)answers.Invoke(null, null)!, isAsExpected => Assert.True(isAsExpected));
    }

    [Fact]
    public void The_queries_are_compiled() => Assert.Equal(4, new GeneratorRun(QueryCompilation.Create(s_source)).Files(".Kernel.g.cs").Count);
}
