using Smc.Collections.Indexes;

namespace Smc.Collections.Removing;

/// <summary>A reference property with <see cref="OnRemoveAttribute"/>.</summary>
/// <param name="Part">The column.</param>
/// <param name="Target">The tabular type of the rows that it names.</param>
/// <param name="Behavior">What becomes of a reference.</param>
internal sealed record DeclaredReference(KeyPart Part, Type Target, RemoveBehavior Behavior);
