using System.Buffers;
using System.Globalization;
using Smc.Collections.Saving;

namespace Smc.Parquet;

/// <summary>Where the groups of rows of a file end, each with the checksum of its bytes. The first begins with the file, the others where the one before ends.</summary>
internal sealed class GroupChecksums
{
    /// <summary>The key of the file's metadata whose value they are.</summary>
    public const string Key = "SelfManaged.RowGroups";

    private const int BufferBytes = 1 << 20;

    private readonly List<(long End, uint Checksum)> _groups = [];

    public int Count => _groups.Count;

    /// <summary>Where the last group ends.</summary>
    public long End => _groups.Count == 0 ? 0 : _groups[^1].End;

    /// <summary>Reads them from the file's metadata.</summary>
    /// <exception cref="FormatException">They are written in another way.</exception>
    public static GroupChecksums Parse(string text)
    {
        GroupChecksums checksums = new();
        foreach (string group in text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            int colon = group.IndexOf(':', StringComparison.Ordinal);
            checksums.Add(
                long.Parse(group.AsSpan(0, Math.Max(colon, 0)), NumberStyles.None, CultureInfo.InvariantCulture),
                uint.Parse(group.AsSpan(colon + 1), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture));
        }

        return checksums;
    }

    public void Add(long end, uint checksum) => _groups.Add((end, checksum));

    /// <summary>As in the file's metadata.</summary>
    public override string ToString() => string.Join(' ', _groups.Select(group => string.Create(CultureInfo.InvariantCulture, $"{group.End}:{group.Checksum:x8}")));

    /// <summary>Reads the bytes of a group and compares.</summary>
    /// <exception cref="InvalidDataException">They are others than those that were written.</exception>
    public async ValueTask VerifyAsync(int group, Stream file, CancellationToken cancellationToken)
    {
        long start = group == 0 ? 0 : _groups[group - 1].End;
        (long end, uint checksum) = _groups[group];
        byte[] buffer = ArrayPool<byte>.Shared.Rent(BufferBytes);
        try
        {
            uint found = 0;
            file.Position = start;
            for (long left = end - start; left > 0;)
            {
                int read = await file.ReadAsync(buffer.AsMemory(0, (int)Math.Min(left, buffer.Length)), cancellationToken).ConfigureAwait(false);
                if (read == 0)
                    break;
                found = Crc32C.Append(found, buffer.AsSpan(0, read));
                left -= read;
            }

            if (found != checksum)
                throw new InvalidDataException($"Row group {group + 1} of the file, bytes {start} to {end}, is damaged: the checksum is another one.");
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
