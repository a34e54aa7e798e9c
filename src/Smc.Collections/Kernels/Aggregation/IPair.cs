namespace Smc.Collections.Kernels;

/// <summary>What a <see cref="PairTable{TPair}"/> holds. All bits zero: no pair.</summary>
/// <typeparam name="TSelf">The pair itself.</typeparam>
internal interface IPair<TSelf>
    where TSelf : unmanaged, IPair<TSelf>
{
    /// <summary>Whether this is no pair.</summary>
    bool IsNone { get; }

    /// <summary>A hash, whose upper half is the better one.</summary>
    ulong Hash { get; }

    /// <summary>Whether two are the same.</summary>
    static abstract bool AreEqual(in TSelf left, in TSelf right);
}
