using System.Runtime.InteropServices;
using Smc.Memory.Allocation;

namespace Smc.Memory.Indexes;

/// <summary>
/// Latches of a collection that has indexes: whoever adds, removes or changes the key of a row holds the stripe of its id. So nothing changes the key columns of a
/// row while its words come and go.
/// </summary>
/// <remarks>
/// Locks in the order in which they are taken: a stripe, words in motion (by the order of the indexes), the latch of a segment, the lock of an entry.
/// No thread holds two stripes, and no code of the user runs under one.
/// </remarks>
internal sealed class RowStripes
{
    private const int Count = 256;
    private readonly Stripe[] _stripes = new Stripe[Count];

    public void Enter(uint id) => _stripes[id % Count].Latch.Enter();

    public void Exit(uint id) => _stripes[id % Count].Latch.Exit();

    // One in a cache line.
    [StructLayout(LayoutKind.Sequential, Size = 64)]
    private struct Stripe
    {
        public Latch Latch;
    }
}
