using Smc.Collections;
using Smc.Collections.Tests;
namespace Smc.Saving.Tests;

/// <summary>A path in a directory of its own, which goes with it.</summary>
internal sealed class SavedFile : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("smc-save-").FullName;

    public string Path => System.IO.Path.Combine(_directory, "data.smc");

    public string[] Files => [.. Directory.GetFiles(_directory).Select(file => System.IO.Path.GetFileName(file)).Order(StringComparer.Ordinal)];

    public byte[] Bytes
    {
        get => File.ReadAllBytes(Path);
        set => File.WriteAllBytes(Path, value);
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);
}
