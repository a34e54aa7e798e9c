using System.Runtime.InteropServices;

namespace Smc.Collections.Indexes;

/// <summary>Memory for the texts of a key that a caller gave, none if there are no texts.</summary>
internal readonly unsafe ref struct KeyText : IDisposable
{
    private readonly void* _memory;

    /// <param name="bytes">What <see cref="KeyEncoder{TKey}.TextBytes"/> said.</param>
    public KeyText(int bytes) => _memory = bytes == 0 ? null : NativeMemory.Alloc((nuint)bytes);

    /// <summary>The address, a multiple of 8.</summary>
    public ulong Place => (ulong)_memory;

    public void Dispose() => NativeMemory.Free(_memory);
}
