using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.CodeFixes;
using Smc.QueryCompiler.Tests.CodeFixes;
using Xunit;

namespace Smc.QueryCompiler.Tests.Diagnostics;

/// <summary>SMC0062: a handle that may be null is converted to a Nullable.</summary>
public sealed class NullHandles
{
    private const string Usings = "using System;\nusing System.Collections.Generic;\nusing System.Linq;\nusing Smc.Collections;\n";

    private const string Schema = "[Tabular] public readonly partial struct Customer { public partial int Id { get; set; } public partial Customer Parent { get; set; } public partial Customer? Agent { get; set; } public Customer Top => Parent; }\n";

    [Theory]
    [InlineData("return customers.FirstOrDefault(x => x.Id == 99);", "customers.FirstOrDefault(x => x.Id == 99)", "FirstOrDefault")]
    [InlineData("return list.LastOrDefault();", "list.LastOrDefault()", "LastOrDefault")]
    [InlineData("return (customers.Where(x => x.Id > 3).SingleOrDefault());", "customers.Where(x => x.Id > 3).SingleOrDefault()", "SingleOrDefault")]
    [InlineData("return list.ElementAtOrDefault(3);", "list.ElementAtOrDefault(3)", "ElementAtOrDefault")]
    [InlineData("return known.GetValueOrDefault(3);", "known.GetValueOrDefault(3)", "GetValueOrDefault")]
    [InlineData("return list.FirstOrDefault(default(Customer));", "list.FirstOrDefault(default(Customer))", "default(Customer)")]
    [InlineData("return list.DefaultIfEmpty().First();", "list.DefaultIfEmpty().First()", "DefaultIfEmpty")]
    [InlineData("return list.DefaultIfEmpty().MinBy(x => x.Id);", "list.DefaultIfEmpty().MinBy(x => x.Id)", "DefaultIfEmpty")]
    [InlineData("return list.DefaultIfEmpty().Select(x => (Customer?)x).First();", "x", "x")]
    [InlineData("return (from a in list from b in list.Where(x => x == a.Parent).DefaultIfEmpty() select (Customer?)b).First();", "b", "b")]
    [InlineData("return list.LeftJoin(list, a => a.Id, b => b.Parent.Id, (a, b) => (Customer?)b).First();", "b", "b")]
    [InlineData("return default(Customer);", "default(Customer)", "default(Customer)")]
    [InlineData("return c.Parent;", "c.Parent", "Parent")]
    [InlineData("Customer? p = c.Parent; return p;", "c.Parent", "Parent")]
    [InlineData("return (Customer?)c.Parent;", "c.Parent", "Parent")]
    [InlineData("return c.Id > 3 ? c : null;", "c.Id > 3 ? c : null", "null")]
    [InlineData("return c.Id switch { 3 => c, _ => c.Parent };", "c.Id switch { 3 => c, _ => c.Parent }", "Parent")]
    [InlineData("return c.Agent ?? c.Parent;", "c.Agent ?? c.Parent", "Parent")]
    [InlineData("var found = list.FirstOrDefault(); return found;", "found", "FirstOrDefault")]
    [InlineData("Customer found; found = list.FirstOrDefault(); return found;", "found", "FirstOrDefault")]
    [InlineData("Console.WriteLine(c.Agent == list.FirstOrDefault()); return null;", "list.FirstOrDefault()", "FirstOrDefault")]
    public async Task A_handle_that_may_be_null_is_reported_where_it_becomes_a_Nullable(string body, string where, string source)
    {
        TabularCompilation compilation = TabularCompilation.Of(Program(body));

        Diagnostic diagnostic = Assert.Single(await compilation.BuildAsync());

        Assert.Equal("SMC0062", diagnostic.Id);
        Assert.Equal(DiagnosticSeverity.Warning, diagnostic.Severity);
        Assert.Equal(where, compilation.TextOf(diagnostic.Location));
        Assert.StartsWith($"'{source}' may be the null handle, which is not null once it is a 'Customer?'", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("return customers.FirstOrDefault(x => x.Id == 99).OrNull();")]
    [InlineData("return list.Select(x => (Customer?)x).FirstOrDefault();")]
    [InlineData("return list.First();")]
    [InlineData("return list.MinBy(x => x.Id);")]
    [InlineData("return list.FirstOrDefault(c);")]
    [InlineData("return c;")]
    [InlineData("return c.Agent;")]
    [InlineData("return null;")]
    [InlineData("return default;")]
    [InlineData("var found = list.FirstOrDefault(); if (found.IsNull) return null; return found;")]
    [InlineData("var found = list.FirstOrDefault(); if (found == null) return null; return found;")]
    [InlineData("if (c.Parent != null) return c.Parent; return null;")]
    [InlineData("c.Agent = list.FirstOrDefault(); c.Agent = c.Parent; return null;")]
    [InlineData("c.Set(agent: list.FirstOrDefault()); return null;")]
    [InlineData("return customers.Add(id: 3, agent: list.FirstOrDefault());")]
    [InlineData("Console.WriteLine(list.FirstOrDefault() == null); return null;")]
    public async Task A_handle_that_is_there_tested_or_stored_is_not_reported(string body) =>
        Assert.Empty(await TabularCompilation.Of(Program(body)).BuildAsync());

    [Theory]
    [InlineData("return customers.FirstOrDefault(x => x.Id == 99);", "return customers.FirstOrDefault(x => x.Id == 99).OrNull();")]
    [InlineData("return c.Id > 3 ? c : null;", "return (c.Id > 3 ? c : null).OrNull();")]
    [InlineData("return c.Parent; // why", "return c.Parent.OrNull(); // why")]
    [InlineData("return default(Customer);", "return null;")]
    [InlineData("Ask(c.Parent); return null;", "Ask(c.Parent.OrNull()); return null;")]
    public async Task The_fix_makes_it_null(string before, string after)
    {
        string fixedText = await FixedSource.Of(new NullHandleFix(), "SMC0062", Program(before));

        Assert.Equal(Program(after), fixedText);
        Assert.Empty(await FixedSource.Ids(fixedText));
    }

    private static string Program(string body) => Usings + Schema + $$"""
        public class C
        {
            public static Customer? Find(Collection<Customer> customers, List<Customer> list, Dictionary<int, Customer> known, Customer c)
            {
                {{body}}
            }

            public static void Ask(Customer? c) { }
        }
        """;
}
