using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Generator;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Tests.EndToEnd;
using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>No query is known to make the compiler fail; plans that no front end makes, and kernels that the emitter does not write, stand for those that would.</summary>
public sealed class FailuresOfTheCompiler
{
    private static readonly QueryPlan s_readsAVariableThatNothingDefines = new PlanSchema([])
        .Scalar("broken", "numbers.First()", PlanSchema.Numbers(variable: 0), PlanSchema.Number(variable: 99)).Plan;

    [Fact]
    public void A_failure_costs_the_query_its_kernel_and_nothing_else() =>
        Assert.Null(KernelCompiler.Compile(s_readsAVariableThatNothingDefines));

    [Fact]
    public void A_failure_is_told_with_its_kind_and_a_request() =>
        Assert.Matches(@"^the query compiler failed \(\w+Exception: .+\); please report this$", KernelCompiler.WhyNot(s_readsAVariableThatNothingDefines));

    [Theory]
    [InlineData("int a = 1; int a = 2;", "a in Run")]
    [InlineData("int a = 1; { long a = 2; }", "a in Run")]
    [InlineData("{ long a = 2; } int a = 1;", "a in Run")]
    [InlineData("int row = 1;", "row in Run")]
    [InlineData("for (int i = 0; i < row; i++) { int i = 2; }", "i in Run")]
    [InlineData("if (row is var a) { } int a = 2;", "a in Run")]
    [InlineData("end: row++; end: row++;", "end: in Run")]
    [InlineData("} private int _field; private long _field; static void Other() {", "_field in K")]
    [InlineData("} static void Run(int other) {", "Run(int) in K")]
    [InlineData("} struct Pair; struct Pair { void Empty() {} ", "Pair in K")]
    public void A_kernel_that_declares_a_name_twice_is_refused(string statements, string name) =>
        Assert.Equal($"the query compiler failed (its text declares {name} twice); please report this", KernelCompiler.WhyNot(KernelOf(statements)));

    [Theory]
    [InlineData("{ int a = 1; } { int a = 2; }")]
    [InlineData("for (int i = 0; i < row; i++) ; for (int i = 0; i < row; i++) ;")]
    [InlineData("while (row is var a) ; while (row is var a) ;")]
    [InlineData("int a = row switch { 1 when row is var b => b, var b => b };")]
    [InlineData("int a = 1; System.Func<int, int> f = static a => a;")]
    [InlineData("foreach (int a in new[] { row }) ; foreach (int a in new[] { row }) ;")]
    [InlineData("try { int a = 1; } catch (System.Exception e) { int a = 2; } finally { int a = 3; }")]
    [InlineData("} static void Run(long row) {")]
    [InlineData("} static class Inner { static void Run(int row) { } } static class Other { static void Run(int row) { } ")]
    public void A_name_may_stand_in_scopes_beside_each_other(string statements) => Assert.Null(KernelCompiler.WhyNot(KernelOf(statements)));

    [Fact]
    public void A_kernel_that_is_no_CSharp_is_refused() =>
        Assert.Equal("the query compiler failed (its text is no C#: ; expected); please report this", KernelCompiler.WhyNot(KernelOf("int a = 1")));

    [Fact]
    public void A_plan_that_computes_with_an_index_as_if_it_were_a_number_is_malformed()
    {
        PlanType index = new(TypeKind.Struct, "global::System.Index");
        ScalarExpression skipped = new Conditional(PlanType.Int32, new Constant(PlanType.Boolean, "true"), new Constant(index, "^1"), new Constant(PlanType.Int32, "1"));
        QueryPlan plan = new PlanSchema([]).List("broken", "one.Skip(^1)", new Skip(new Unit(), skipped), PlanSchema.Int(1)).Plan;

        Assert.Equal("a choice of int between System.Index and int", PlanValidator.FirstError(plan with { Parameters = EquatableArray<PlanParameter>.Empty }));
    }

    private static Kernel KernelOf(string statements)
    {
        string text = $"static class K {{ static void Run(int row) {{ {statements} }} }}";
        return new Kernel("K", text, text, "static void Run(int row)", new PhysicalPlan());
    }
}
