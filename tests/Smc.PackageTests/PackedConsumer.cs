using System.Reflection;

namespace Smc.PackageTests;

/// <summary>Packs the packages as they are now and builds console projects against them, outside the repository.</summary>
public sealed class PackedConsumer : IDisposable
{
    private const string Version = "0.1.0-packagetest";

    private static readonly string[] s_projects = ["Smc.Memory", "Smc.Collections"];

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("smc-package-");

    public PackedConsumer()
    {
        foreach (string project in s_projects)
            DotnetCommand.Run(RepositoryRoot, "pack", $"src/{project}", "-c", "Release", "-p:RunAnalyzers=false", "-o", Feed, $"-p:MinVerVersionOverride={Version}");
    }

    public static string RepositoryRoot { get; } = Path.GetFullPath(
        typeof(PackedConsumer).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(a => a.Key == "RepositoryRoot").Value!);

    /// <summary>The packages, symbols included.</summary>
    public IReadOnlyList<string> Packages => [.. Directory.EnumerateFiles(Feed).Order(StringComparer.Ordinal)];

    private string Feed => Path.Combine(_folder.FullName, "feed");

    /// <summary>Runs a program that references the package and nothing else; returns what it printed.</summary>
    /// <param name="name">A folder name.</param>
    /// <param name="program">The text of Program.cs.</param>
    public string Run(string name, string program)
    {
        string folder = Directory.CreateDirectory(Path.Combine(_folder.FullName, name)).FullName;
        File.WriteAllText(Path.Combine(folder, "Program.cs"), program);
        File.WriteAllText(Path.Combine(folder, $"{name}.csproj"), $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <Nullable>enable</Nullable>
                <ImplicitUsings>enable</ImplicitUsings>
                <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
                <SmcStrict>true</SmcStrict>
                <RestorePackagesPath>{Path.Combine(_folder.FullName, "packages")}</RestorePackagesPath>
                <RestoreAdditionalProjectSources>{Feed}</RestoreAdditionalProjectSources>
              </PropertyGroup>
              <ItemGroup>
                <PackageReference Include="Smc.Collections" Version="{Version}" />
              </ItemGroup>
            </Project>
            """);
        return DotnetCommand.Run(folder, "run");
    }

    /// <summary>Packs what is built once more, to another folder; returns the packages.</summary>
    public IReadOnlyList<string> PackAgain()
    {
        string again = Path.Combine(_folder.FullName, "again");
        foreach (string project in s_projects)
            DotnetCommand.Run(RepositoryRoot, "pack", $"src/{project}", "-c", "Release", "-o", again, "--no-build", $"-p:MinVerVersionOverride={Version}");
        return [.. Directory.EnumerateFiles(again).Order(StringComparer.Ordinal)];
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
