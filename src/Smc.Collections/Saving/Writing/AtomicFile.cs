namespace Smc.Collections.Saving;

/// <summary>A file that is written beside the one that it replaces: whoever reads the name finds the old file or the whole new one.</summary>
/// <remarks>
/// The temporary file is open, and by that locked, as long as its writer lives. One that nobody has locked was left by a process that ended, and the next save deletes it.
/// </remarks>
internal sealed class AtomicFile : IDisposable
{
    private const string Mark = ".tmp-";

    private readonly string _path;
    private readonly string _temporary;
    private bool _isDone;

    /// <summary>Creates the temporary file.</summary>
    /// <exception cref="IOException">It cannot be created.</exception>
    public AtomicFile(string path)
    {
        _path = Path.GetFullPath(path);
        DeleteStale();
        _temporary = _path + Mark + Guid.NewGuid().ToString("N");
        // Delete: so that it can be renamed while it is open.
        Stream = new FileStream(_temporary, new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.ReadWrite, Share = FileShare.Delete, BufferSize = 0 });
        SaveSteps.Reached?.Invoke(SaveStep.Created);
    }

    /// <summary>What is written to the file.</summary>
    public FileStream Stream { get; }

    /// <summary>Puts the file in place of the old one, when all of it is on the disk.</summary>
    public void Commit()
    {
        Stream.Flush(flushToDisk: true);
        SaveSteps.Reached?.Invoke(SaveStep.Flushed);
        File.Move(_temporary, _path, overwrite: true);
        _isDone = true;
        SaveSteps.Reached?.Invoke(SaveStep.Renamed);
        DirectoryFlush.Try(Path.GetDirectoryName(_path)!);
        SaveSteps.Reached?.Invoke(SaveStep.DirectoryFlushed);
    }

    /// <summary>Deletes the temporary file unless it has become the file.</summary>
    public void Dispose()
    {
        Stream.Dispose();
        if (!_isDone)
            File.Delete(_temporary);
    }

    private void DeleteStale()
    {
        string? directory = Path.GetDirectoryName(_path);
        if (!Directory.Exists(directory))
            throw new DirectoryNotFoundException($"There is no directory '{directory}' to save into. Create it first.");
        string prefix = Path.GetFileName(_path) + Mark;
        foreach (string file in Directory.EnumerateFiles(directory))
        {
            string name = Path.GetFileName(file);
            if (!name.StartsWith(prefix, StringComparison.Ordinal) || !Guid.TryParseExact(name.AsSpan(prefix.Length), "N", out _))
                continue;
            try
            {
                using (new FileStream(file, FileMode.Open, FileAccess.ReadWrite, FileShare.None))
                {
                    // Nobody else has it.
                }

                File.Delete(file);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                // It is being written, or somebody else's. It is in nobody's way.
            }
        }
    }
}
