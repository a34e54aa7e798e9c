namespace Smc.Collections;

/// <summary>
/// Queries over collections in ordinary C#, compiled when the project is built. <c>Run</c> runs a query now; <c>Compile</c> returns a delegate to call many times.
/// </summary>
/// <remarks>
/// Both take a lambda with LINQ over their parameters, in query or method syntax. All of C# is allowed in it. The generator intercepts the call.
/// For private row types, and for projects without interceptors, mark a method with <see cref="CompiledQueryAttribute"/> instead.
/// Thread safety: all members, and the delegates of <c>Compile</c>, may be called by any number of threads at once. What a query may see while other threads change rows is described at
/// <see cref="Collection{T}"/>.
/// </remarks>
public static partial class Query;
