using Smc.Memory.Epochs;
using Smc.Memory.Reclamation;

namespace Smc.Memory;

/// <summary>Blocks on their way out of a collection to which direct references may lead; see <see cref="ReferenceRepair"/>.</summary>
internal abstract class RetiredMemory : RetiredParts
{
    /// <summary>Their addresses.</summary>
    public abstract IEnumerable<BlockRef> Blocks { get; }

    /// <summary>True from when no row refers to the blocks any more.</summary>
    public bool IsRepaired { get; set; }
}
