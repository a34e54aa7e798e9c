namespace Smc.QueryCompiler.Plan;

/// <summary>An exception that is raised in place of a value: <c>throw</c> as an expression, which C# permits in a few places only, and optimiser and kernel in all.</summary>
internal static class Thrown
{
    private const string Method = "global::Smc.Collections.Kernels.KernelFailure.Throw<";

    /// <param name="type">The type of the value that would stand there.</param>
    /// <param name="exception">What is raised.</param>
    public static ScalarExpression Of(PlanType type, ScalarExpression exception) => new Call(type, MethodFor(type), Instance: null, EquatableArray.Of(exception));

    /// <summary>The method that raises an exception in place of a value of a type; it has no other effect.</summary>
    public static string MethodFor(PlanType type) => $"{Method}{type.Text}>";

    /// <summary>Whether a method is one of these.</summary>
    public static bool Is(string method) => method.StartsWith(Method, StringComparison.Ordinal);
}
