namespace Smc.Memory.Compaction;

/// <summary>Memory that no reader can have any more, and that the compacting thread frees if one is at work.</summary>
internal interface IFreedBetweenCompactions
{
    void Free();
}
