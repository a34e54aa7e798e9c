using System.Diagnostics;
using System.Reflection;

namespace Smc.PackageTests;

/// <summary>Packs the packages as they are now and builds console projects against them, outside the repository.</summary>
public sealed class PackedConsumer : IDisposable
{
    private const string Version = "0.1.0-packagetest";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("smc-package-");

    public PackedConsumer()
    {
        foreach (string project in (string[])["Smc.Memory", "Smc.Collections"])
            Dotnet(RepositoryRoot, "pack", $"src/{project}", "-c", "Release", "-o", Feed, $"-p:Version={Version}");
    }

    public static string RepositoryRoot { get; } = Path.GetFullPath(
        typeof(PackedConsumer).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(a => a.Key == "RepositoryRoot").Value!);

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
        return Dotnet(folder, "run");
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static string Dotnet(string folder, params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        // The test host's own MSBuild settings must not leak into the build that is under test.
        foreach (string key in start.Environment.Keys.Where(k => k.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToList())
            start.Environment.Remove(key);
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0
            ? output
            : throw new InvalidOperationException($"dotnet {string.Join(' ', arguments)} in {folder} failed:\n{output}\n{errors.Result}");
    }
}
