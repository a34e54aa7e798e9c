namespace Smc.QueryCompiler.Tests.Documentation;

/// <summary>Files of the repository that tests compare with the code.</summary>
internal static class RepositoryFiles
{
    public static string Root { get; } = FindRoot();

    public static string Docs(params string[] path) => Path.Combine([Root, "docs", .. path]);

    private static string FindRoot()
    {
        DirectoryInfo? directory = new(AppContext.BaseDirectory);
        while (directory is not null && !File.Exists(Path.Combine(directory.FullName, "SelfManaged.sln")))
            directory = directory.Parent;
        return directory!.FullName;
    }
}
