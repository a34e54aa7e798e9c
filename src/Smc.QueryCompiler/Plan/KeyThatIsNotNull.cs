namespace Smc.QueryCompiler.Plan;

/// <summary>A key that raises an exception when it is null, as the dictionary does that <c>CountBy</c> collects in.</summary>
internal static class KeyThatIsNotNull
{
    /// <summary>The method; it has no effect.</summary>
    public const string Method = "global::Smc.Collections.Kernels.AggregateResults.KeyNotNull";

    public static ScalarExpression Of(ScalarExpression key) => new Call(key.Type, Method, Instance: null, EquatableArray.Of(key));
}
