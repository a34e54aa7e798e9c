using System.Buffers.Binary;
using Smc.Memory;

namespace Reclamation;

/// <summary>Objects are chunks of the string heap of a collection.</summary>
internal sealed class StringAllocator : IAllocator
{
    private readonly MemoryContext _context;
    private readonly int _bytes;
    [ThreadStatic] private static byte[]? t_buffer;

    public StringAllocator(MemoryManager manager, int bytes)
    {
        _context = new MemoryContext(manager, RowAllocator.Layout(), "strings");
        _bytes = bytes;
        ulong word = Allocate(0);
        _context.Strings.Retire(word);
        ObjectBytes = LimboBytes;
    }

    public long LimboBytes => _context.Strings.RetiredBytes;

    public long ObjectBytes { get; }

    public ulong Allocate(long key)
    {
        byte[] buffer = t_buffer is { } own && own.Length == _bytes ? own : t_buffer = new byte[_bytes];
        BinaryPrimitives.WriteInt64LittleEndian(buffer, key);
        return _context.Strings.StoreUtf8(buffer);
    }

    public bool Holds(ulong found, long key) => BinaryPrimitives.ReadInt64LittleEndian(StringWord.Bytes(in found)) == key;

    public void Abandon(ulong made) => _context.Strings.Free(made);

    public void Retire(ulong removed) => _context.Strings.Retire(removed);

    public void Dispose() => _context.Dispose();
}
