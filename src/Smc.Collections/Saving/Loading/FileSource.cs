namespace Smc.Collections.Saving;

/// <summary>The bytes of a file in order, with where one is and how much is left.</summary>
/// <param name="read">Reads some bytes; 0 at the end.</param>
/// <param name="length">The bytes of the file; null if nobody knows.</param>
internal sealed class FileSource(Func<Memory<byte>, int> read, long? length)
{
    // As much as is allocated for a length that cannot be compared with anything.
    private const int TrustedBytes = 1 << 20;

    // Sections hardly have more.
    private const int LargestArray = 16 << 20;

    /// <summary>The bytes read so far.</summary>
    public long Position { get; private set; }

    /// <summary>The bytes of the file; null if nobody knows.</summary>
    public long? Length => length;

    /// <summary>Fills a buffer.</summary>
    /// <exception cref="FormatException">The file ends before.</exception>
    public void Read(Memory<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            int count = read(bytes);
            if (count == 0)
                throw new FormatException("The file ends here; it has been cut off.");
            Position += count;
            bytes = bytes[count..];
        }
    }

    /// <summary>Reads a number of bytes into an array, which is made larger if need be.</summary>
    /// <exception cref="FormatException">The file ends before.</exception>
    public void Read(ref byte[] array, int count)
    {
        if (length is { } known)
        {
            if (count > known - Position)
                throw new FormatException($"{count} bytes should follow, and {known - Position} are left; the file has been cut off.");
            Reserve(ref array, count, 0);
            Read(array.AsMemory(0, count));
            return;
        }

        for (int done = 0; done < count;)
        {
            int next = Math.Min(count - done, Math.Max(TrustedBytes, done));
            Reserve(ref array, done + next, done);
            Read(array.AsMemory(done, next));
            done += next;
        }
    }

    private static void Reserve(ref byte[] array, int count, int kept)
    {
        if (array.Length >= count)
            return;
        byte[] larger = GC.AllocateUninitializedArray<byte>(Math.Max(count, (int)Math.Min(2L * array.Length, LargestArray)));
        array.AsSpan(0, kept).CopyTo(larger);
        array = larger;
    }
}
