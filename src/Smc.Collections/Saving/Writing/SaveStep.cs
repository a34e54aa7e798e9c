namespace Smc.Collections.Saving;

/// <summary>The steps of a save after which a process may be killed: for tests that do so.</summary>
internal enum SaveStep
{
    /// <summary>The temporary file was created.</summary>
    Created,

    /// <summary>A section, or the end, was written to it.</summary>
    Written,

    /// <summary>It is on the disk.</summary>
    Flushed,

    /// <summary>It has the name of the file.</summary>
    Renamed,

    /// <summary>The directory is on the disk.</summary>
    DirectoryFlushed,
}

/// <summary>Tells a test of each step. Nobody else sets it.</summary>
internal static class SaveSteps
{
    public static Action<SaveStep>? Reached { get; set; }
}
