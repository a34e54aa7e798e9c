using System.Runtime.InteropServices;
using Xunit;

namespace Smc.PackageTests;

public sealed class NativeAotTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("smc-aot-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void The_readme_sample_is_published_with_NativeAOT_without_a_warning_and_runs() => Assert.Equal(ReadmeSample.Output, Published(ReadmeSample.Program()));

    [Fact]
    public void Queries_with_private_members_run_their_kernels_under_NativeAOT() => Assert.Equal(PrivateMembersSample.Output, Published(PrivateMembersSample.Program));

    [Fact]
    public void Queries_in_parts_run_their_kernels_under_NativeAOT() => Assert.Equal(QueryInPartsSample.Output, Published(QueryInPartsSample.Program));

    /// <summary>What a program prints after it was published.</summary>
    private string Published(string program)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && RuntimeInformation.OSArchitecture == Architecture.X64, "published for linux-x64 only");
        Assert.SkipUnless(HasLinker, "NativeAOT needs clang or gcc");
        string root = PackedConsumer.RepositoryRoot;
        string app = Directory.CreateDirectory(Path.Combine(_folder.FullName, "app")).FullName, output = Path.Combine(_folder.FullName, "out");
        File.WriteAllText(Path.Combine(app, "Program.cs"), program);
        File.WriteAllText(Path.Combine(app, "Directory.Build.props"), $"<Project><Import Project=\"{root}/Directory.Build.props\" /></Project>");
        File.WriteAllText(Path.Combine(app, "Directory.Build.targets"), $"<Project><Import Project=\"{root}/Directory.Build.targets\" /></Project>");
        File.WriteAllText(Path.Combine(app, "Directory.Packages.props"), $"<Project><Import Project=\"{root}/Directory.Packages.props\" /></Project>");
        File.WriteAllText(Path.Combine(app, "app.csproj"), """
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

        // Warnings are errors in every project of this repository, those about trimming and AOT included.
        DotnetCommand.Run(app, "publish", "-c", "Release", "-r", "linux-x64", "--artifacts-path", Path.Combine(_folder.FullName, "artifacts"), "-o", output);

        return DotnetCommand.RunProgram(Path.Combine(output, "app"), app);
    }

    private static bool HasLinker => (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator)
        .Any(folder => File.Exists(Path.Combine(folder, "clang")) || File.Exists(Path.Combine(folder, "gcc")));
}
