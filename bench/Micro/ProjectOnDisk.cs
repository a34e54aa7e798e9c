using System.Diagnostics;

namespace Micro;

/// <summary>A user's project in a folder of its own, built by the SDK as the user would build it.</summary>
internal sealed class ProjectOnDisk : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("smc-build");

    public ProjectOnDisk(params (string Name, string Text)[] files)
    {
        // What the package refers to and lets generators see, see src/Smc.QueryCompiler/build.
        File.WriteAllText(PathOf("Shop.csproj"), $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
                <Nullable>enable</Nullable>
                <InterceptorsNamespaces>Smc.Generated</InterceptorsNamespaces>
              </PropertyGroup>
              <ItemGroup>
                <CompilerVisibleProperty Include="SmcDisableQueryCompiler" />
                <Reference Include="{Beside("Smc.Memory.dll")};{Beside("Smc.Collections.dll")}" />
                <Analyzer Include="{Beside("Smc.QueryCompiler.dll")}" />
              </ItemGroup>
            </Project>
            """);
        foreach ((string name, string text) in files)
            File.WriteAllText(PathOf(name + ".cs"), text);
        Dotnet("restore");
    }

    /// <summary>The seconds that a whole build takes.</summary>
    public double Build(string property)
    {
        long start = Stopwatch.GetTimestamp();
        Dotnet("build", "--no-restore", "--no-incremental", "-p:" + property, "-p:UseSharedCompilation=true");
        return Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static string Beside(string file) => Path.Combine(AppContext.BaseDirectory, file);

    private string PathOf(string file) => Path.Combine(_folder.FullName, file);

    private void Dotnet(params string[] arguments)
    {
        ProcessStartInfo start = new("dotnet", arguments) { WorkingDirectory = _folder.FullName, RedirectStandardOutput = true };
        // Meant for this process only.
        start.Environment.Remove("DOTNET_gcServer");
        using Process process = Process.Start(start)!;
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        if (process.ExitCode != 0) throw new InvalidOperationException(output);
    }
}
