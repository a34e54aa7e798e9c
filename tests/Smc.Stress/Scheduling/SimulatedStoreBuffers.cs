using Smc.Memory.Epochs;

namespace Smc.Stress.Scheduling;

/// <summary>
/// The store buffers of x86 in front of the announcements, as in models/epoch.pml: a store waits in its thread's queue until the queue is
/// drained, by a process-wide barrier or at any other time. The real ones cannot be steered.
/// </summary>
internal sealed class SimulatedStoreBuffers
{
    private readonly Dictionary<nint, Queue<long>> _buffers = [];
    private Func<bool> _applies = static () => false;

    /// <param name="applies">True on threads whose announcements are buffered.</param>
    public void Install(Func<bool> applies)
    {
        _applies = applies;
        AsymmetricFence.Buffer = TryStore;
        AsymmetricFence.Forward = LastStore;
        AsymmetricFence.DrainBuffers = DrainAll;
    }

    public void Uninstall()
    {
        AsymmetricFence.Buffer = null;
        AsymmetricFence.Forward = null;
        AsymmetricFence.DrainBuffers = null;
        DrainAll();
    }

    /// <summary>Lets one store of one buffer reach memory.</summary>
    public void DrainOne(Random random)
    {
        nint[] filled = [.. _buffers.Where(static buffer => buffer.Value.Count > 0).Select(static buffer => buffer.Key)];
        if (filled.Length > 0) Drain(filled[random.Next(filled.Length)]);
    }

    /// <summary>Drains the buffer of the calling thread.</summary>
    public unsafe void DrainOwn()
    {
        nint slot = (nint)ThreadSlots.Current;
        while (_buffers.TryGetValue(slot, out Queue<long>? buffer) && buffer.Count > 0) Drain(slot);
    }

    private bool TryStore(nint slot, long word)
    {
        if (!_applies()) return false;
        if (!_buffers.TryGetValue(slot, out Queue<long>? buffer)) _buffers[slot] = buffer = new Queue<long>();
        buffer.Enqueue(word);
        return true;
    }

    private long? LastStore(nint slot) =>
        _applies() && _buffers.TryGetValue(slot, out Queue<long>? buffer) && buffer.Count > 0 ? buffer.Last() : null;

    private void DrainAll()
    {
        foreach ((nint slot, Queue<long> buffer) in _buffers)
        {
            while (buffer.Count > 0) Drain(slot);
        }
    }

    private unsafe void Drain(nint slot) => Volatile.Write(ref ((ThreadSlot*)slot)->Announced, _buffers[slot].Dequeue());
}
