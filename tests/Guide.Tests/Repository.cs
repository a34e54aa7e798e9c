namespace Guide.Tests;

/// <summary>The files of the repository.</summary>
internal static class Repository
{
    public static string Root { get; } = FindRoot();

    private static string FindRoot()
    {
        DirectoryInfo? directory = new(AppContext.BaseDirectory);
        while (directory is not null && !File.Exists(Path.Combine(directory.FullName, "SelfManaged.sln")))
            directory = directory.Parent;
        return directory?.FullName ?? throw new InvalidOperationException("SelfManaged.sln is in no folder above the test.");
    }
}
