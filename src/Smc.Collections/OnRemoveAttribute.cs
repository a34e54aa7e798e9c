namespace Smc.Collections;

/// <summary>Says what becomes of a reference when the row that it names is removed. Without it the reference stays, and reads as removed.</summary>
/// <remarks>
/// <code>
/// [Tabular]
/// public readonly partial struct Line { [OnRemove(RemoveBehavior.Cascade)] public partial Order Order { get; set; } … }
///
/// orders.Remove(order)     // removes its lines, too
/// </code>
/// <para>When <see cref="Collection{T}.Remove"/> has returned true, no row names the removed one in such a property, whatever other threads store meanwhile. So a reference to a row that is
/// already removed is refused there (<see cref="RowRemovedException"/>), as is one to a row of another <see cref="Smc.Memory.MemoryManager"/>.</para>
/// <para>Each collection of the type keeps an index from referenced to referring rows, about 30 bytes for each reference that is not null, part of <c>MemoryUsage.Indexes</c>. It is
/// kept as a declared <see cref="IndexAttribute"/> is: adding a row and changing the reference take some hundred nanoseconds more.</para>
/// <para><see cref="Collection{T}.Retire"/> and <c>Dispose</c> do not ask for it, and rows that are retired do not count as referring.</para>
/// </remarks>
/// <param name="behavior">What becomes of the reference.</param>
[AttributeUsage(AttributeTargets.Property, Inherited = false)]
public sealed class OnRemoveAttribute(RemoveBehavior behavior) : Attribute
{
    /// <summary>What becomes of the reference.</summary>
    public RemoveBehavior Behavior { get; } = behavior;
}
