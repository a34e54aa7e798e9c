namespace Smc.Collections;

/// <summary>
/// Queries in ordinary C# over collections, compiled at build time. <c>Run</c> executes a query now; <c>Compile</c> makes a delegate to call many times.
/// </summary>
/// <remarks>
/// Both take a lambda of <c>System.Linq</c> over their parameters, in query or method syntax, with all of C# in it. The generator intercepts the call;
/// a method marked with <see cref="CompiledQueryAttribute"/> is the third way, for private row types and projects without interceptors.
/// </remarks>
public static partial class Query;
