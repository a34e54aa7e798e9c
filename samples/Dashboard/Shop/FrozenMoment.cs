using Smc.Collections;

namespace Dashboard.Shop;

/// <summary>A moment of the shop that the user keeps, beside which the shop goes on. Thread-safe.</summary>
public sealed class FrozenMoment(LiveShop shop) : IDisposable
{
    private readonly Lock _lock = new();
    private Snapshot? _snapshot;

    /// <summary>Keeps this moment, in place of the one before; or none.</summary>
    public void Switch(bool isOn)
    {
        lock (_lock)
        {
            _snapshot?.Dispose();
            _snapshot = isOn ? Snapshot.Take(shop.Orders, shop.Lines) : null;
        }
    }

    /// <summary>Reads the moment.</summary>
    /// <param name="read">Gets the snapshot, which lasts until it returns.</param>
    /// <returns>Null if none is kept.</returns>
    public T? Read<T>(Func<Snapshot, T> read)
        where T : class
    {
        lock (_lock)
            return _snapshot is null ? null : read(_snapshot);
    }

    /// <inheritdoc/>
    public void Dispose() => Switch(isOn: false);
}
