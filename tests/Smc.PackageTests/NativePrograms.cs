using System.Runtime.InteropServices;
using Xunit;

namespace Smc.PackageTests;

/// <summary>Publishes programs with NativeAOT. What they share, the library and its generator, is built once for all of them.</summary>
public sealed class NativePrograms : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("smc-aot-");

    private static bool HasLinker => (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator)
        .Any(folder => File.Exists(Path.Combine(folder, "clang")) || File.Exists(Path.Combine(folder, "gcc")));

    public void Dispose() => _folder.Delete(recursive: true);

    /// <summary>An empty folder.</summary>
    /// <param name="name">Its name.</param>
    public string Folder(string name) => _folder.CreateSubdirectory(name).FullName;

    /// <summary>What a program prints after it was published.</summary>
    /// <param name="name">The name of its project.</param>
    /// <param name="program">The text of Program.cs.</param>
    public string Run(string name, string program)
    {
        string root = PackedConsumer.RepositoryRoot, project = Folder(name);
        File.WriteAllText(Path.Combine(project, "Program.cs"), program);
        File.WriteAllText(Path.Combine(project, "Directory.Build.props"), $"<Project><Import Project=\"{root}/Directory.Build.props\" /></Project>");
        File.WriteAllText(Path.Combine(project, "Directory.Build.targets"), $"<Project><Import Project=\"{root}/Directory.Build.targets\" /></Project>");
        File.WriteAllText(Path.Combine(project, "Directory.Packages.props"), $"<Project><Import Project=\"{root}/Directory.Packages.props\" /></Project>");
        File.WriteAllText(Path.Combine(project, $"{name}.csproj"), """
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <UsesSmc>true</UsesSmc>
                <SmcStrict>true</SmcStrict>
                <PublishAot>true</PublishAot>
                <NoWarn>MA0047;MA0048</NoWarn>
              </PropertyGroup>
            </Project>
            """);
        return DotnetCommand.RunProgram(Publish(project), project);
    }

    /// <summary>
    /// Publishes a project; returns the path of the program. Warnings are errors in every project of this repository, those of the native compiler about trimming and AOT included.
    /// The analyzers have seen the same sources in the build of the tests, and take as long as the rest.
    /// </summary>
    /// <param name="project">Its folder, which names it, as an absolute path or below the repository.</param>
    public string Publish(string project)
    {
        RequireCompiler();
        string name = Path.GetFileName(project), output = Path.Combine(_folder.FullName, "out", name);
        DotnetCommand.Run(
            PackedConsumer.RepositoryRoot, "publish", project, "-c", "Release", "-r", "linux-x64", "-p:PublishAot=true", "-p:RunAnalyzers=false", "-p:NativeDebugSymbols=false", "--artifacts-path", Path.Combine(_folder.FullName, "artifacts"), "-o", output);
        return Path.Combine(output, name);
    }

    /// <summary>Skips the test where programs cannot be published.</summary>
    public static void RequireCompiler()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && RuntimeInformation.OSArchitecture == Architecture.X64, "published for linux-x64 only");
        Assert.SkipUnless(HasLinker, "NativeAOT needs clang or gcc");
    }
}
