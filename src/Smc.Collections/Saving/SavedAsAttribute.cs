namespace Smc.Collections;

/// <summary>
/// The name under which a property, or a row type, is in files that were saved before it was renamed: <c>[SavedAs("Comment")] public partial string Note { get; set; }</c>.
/// <see cref="Database.Load(string, ReadOnlySpan{RowType})"/> looks for today's name first.
/// </summary>
/// <param name="name">The former name; of a row type with its namespace, as <see cref="Type.FullName"/> has it.</param>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Struct, Inherited = false)]
public sealed class SavedAsAttribute(string name) : Attribute
{
    /// <summary>The former name.</summary>
    public string Name { get; } = name;
}
