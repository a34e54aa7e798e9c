namespace Smc.QueryCompiler.Plan;

/// <summary>The call that makes a group that is part of a result, of its key and a list of its elements.</summary>
internal static class ResultGroup
{
    /// <summary>The method, as in <see cref="Call.Method"/>, without its type arguments.</summary>
    public const string Method = Type + ".Group";

    /// <summary>Its type.</summary>
    public const string Type = "global::Smc.Collections.Kernels.ResultRows";
}
