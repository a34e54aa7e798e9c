namespace Smc.Collections;

/// <summary>Marks a partial method whose body the generator compiles from the query in another method of the same type.</summary>
/// <remarks>
/// <code>
/// [CompiledQuery(nameof(RevenueQuery))]
/// public static partial decimal Revenue(IEnumerable&lt;Sale&gt; items, DateOnly since);
///
/// private static decimal RevenueQuery(IEnumerable&lt;Sale&gt; items, DateOnly since) =&gt;
///     items.Where(s =&gt; s.Date &gt;= since).Sum(s =&gt; s.Price * s.Discount);
/// </code>
/// The loop is generated inside the type, so row types and members may be private. With an argument that is not a <see cref="Collection{T}"/>,
/// or when the query cannot be compiled (the build says why: SMC1001), the method calls the definition. What the query may see while other threads change rows is described at <see cref="Collection{T}"/>.
/// </remarks>
/// <param name="definition">The name of the method that holds the query: same parameters, same result.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class CompiledQueryAttribute(string definition) : Attribute
{
    /// <summary>The name of the method that holds the query.</summary>
    public string Definition { get; } = definition;
}
