using System.Runtime.InteropServices;

namespace Smc.Collections.Saving;

/// <summary>Brings a directory to the disk, so that a file that was renamed in it is there after a failure of power. .NET does not open directories.</summary>
internal static partial class DirectoryFlush
{
    private const int ReadOnly = 0;

    /// <summary>Flushes a directory where the system can: not on Windows, which has no such call, nor on file systems that do not know it.</summary>
    public static void Try(string directory)
    {
        if (OperatingSystem.IsWindows())
            return;
        int file = Open(directory, ReadOnly);
        if (file < 0)
            return;
        // The rename is done either way; what is not flushed is the old file's name after a failure of power.
        _ = Flush(file);
        _ = Close(file);
    }

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync")]
    private static partial int Flush(int file);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int file);
}
