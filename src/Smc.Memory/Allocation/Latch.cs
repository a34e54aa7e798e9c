using System.Runtime.CompilerServices;
using Smc.Memory.Diagnostics;
using Smc.Memory.Platform;

namespace Smc.Memory.Allocation;

/// <summary>A lock of four bytes for sections of a few instructions, without allocation or user code inside. Not re-entrant.</summary>
internal struct Latch
{
    private int _held;

    /// <summary>Takes the latch if it is free. Acquire; partner: <see cref="Exit"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryEnter() => Interlocked.CompareExchange(ref _held, 1, 0) == 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter()
    {
        if (!TryEnter()) Wait();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Exit() => Volatile.Write(ref _held, 0);

    /// <summary>One turn of waiting for a thread that holds a latch, or the lock of a row, for a few instructions.</summary>
    public static void Spin(ref ShortWait wait)
    {
        ProtocolSteps.Reach(ProtocolStep.Waiting);
        wait.Once();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Wait()
    {
        ShortWait wait = default;
        do Spin(ref wait);
        while (Volatile.Read(ref _held) != 0 || !TryEnter());
    }
}
