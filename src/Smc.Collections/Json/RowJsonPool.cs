using Smc.Collections.Kernels;

namespace Smc.Collections.Json;

/// <summary>Keeps one buffer for the next row. A thread that finds none makes its own.</summary>
internal sealed class RowJsonPool(Func<RowTransfer> transfer)
{
    private RowJsonBuffer? _free;

    public RowJsonBuffer Take() => Interlocked.Exchange(ref _free, null) ?? new RowJsonBuffer(transfer());

    public void Return(RowJsonBuffer buffer) => Volatile.Write(ref _free, buffer);
}
