namespace Smc.Collections.Indexes;

/// <summary>Bytes of keys one behind the other, for one thread.</summary>
internal sealed class KeyBuffer
{
    private byte[] _bytes = new byte[64];
    private int _used;

    public ReadOnlySpan<byte> this[Range key] => _bytes.AsSpan(key);

    /// <summary>Writes the bytes of a row's key.</summary>
    /// <returns>Where they are until <see cref="Clear"/>.</returns>
    public Range Add(KeyPart[] parts, ref readonly KeyImage key, uint id)
    {
        int end = _used + KeyOrder.MaxLength(parts, in key);
        if (end > _bytes.Length)
            Array.Resize(ref _bytes, Math.Max(end, 2 * _bytes.Length));
        int start = _used;
        _used += KeyOrder.Write(parts, in key, id, _bytes.AsSpan(start));
        return start.._used;
    }

    public void Clear() => _used = 0;
}
