using System.Numerics;
using System.Runtime.InteropServices;

namespace TpcH.Dbgen;

/// <summary>
/// Keeps the text pool in a file between runs, because it takes longer to generate than a small data set.
/// The cache only ever saves time: whatever goes wrong with it, the pool is generated.
/// </summary>
public sealed class TextPoolCache(DirectoryInfo directory)
{
    /// <summary>CRC-32C of the pool's bytes taken as little-endian 64-bit words; checked because anybody may write to a temporary folder.</summary>
    private const uint ExpectedChecksum = 2874582403;

    private readonly string path = Path.Combine(directory.FullName, $"textpool-{TextPool.Md5}.bin");

    /// <summary>The cache that all programs of a user share.</summary>
    public static TextPoolCache Shared { get; } = new(new DirectoryInfo(Path.Combine(Path.GetTempPath(), "smc-tpch")));

    /// <summary>The pool, or null when there is no file or its content is not the pool.</summary>
    public byte[]? TryRead()
    {
        try
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read | FileShare.Delete, bufferSize: 0);
            if (file.Length != TextPool.Size)
                return null;
            byte[] pool = GC.AllocateUninitializedArray<byte>(TextPool.Size);
            file.ReadExactly(pool);
            return Checksum(pool) == ExpectedChecksum ? pool : null;
        }
        catch (Exception e) when (IsFileTrouble(e))
        {
            return null;
        }
    }

    /// <summary>Writes under a temporary name and renames, so that no other process sees half a file.</summary>
    public bool TryWrite(ReadOnlySpan<byte> pool)
    {
        string unfinished = $"{path}.{Guid.NewGuid():N}";
        try
        {
            directory.Create();
            using (var file = new FileStream(unfinished, FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 0))
                file.Write(pool);
            File.Move(unfinished, path, overwrite: true);
            return true;
        }
        catch (Exception e) when (IsFileTrouble(e))
        {
            TryDelete(unfinished);
            return false;
        }
    }

    private static void TryDelete(string file)
    {
        try
        {
            File.Delete(file);
        }
        catch (Exception e) when (IsFileTrouble(e))
        {
            // A file that can neither be finished nor deleted is left to the system's cleaning of its temporary folder.
        }
    }

    private static bool IsFileTrouble(Exception e) => e is IOException or UnauthorizedAccessException;

    private static uint Checksum(ReadOnlySpan<byte> pool)
    {
        uint checksum = uint.MaxValue;
        foreach (ulong word in MemoryMarshal.Cast<byte, ulong>(pool))
            checksum = BitOperations.Crc32C(checksum, word);
        return checksum;
    }
}
