using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
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

    [Fact]
    public void The_sample_with_an_ordered_map_runs_under_NativeAOT() =>
        Assert.EndsWith("228 cells removed, 480 left\n", DotnetCommand.RunProgram(Publish("samples/RollUp"), _folder.FullName, "20000"), StringComparison.Ordinal);

    [Fact]
    public async Task The_dashboard_answers_under_NativeAOT()
    {
        string program = Publish("samples/Dashboard"), address = $"http://127.0.0.1:{FreePort()}";
        using Process process = Process.Start(program, ["--urls", address, "--orders", "1000"]);
        try
        {
            using HttpClient client = new() { BaseAddress = new Uri(address) };
            Assert.Contains("\"orders\":1000,", await Answer(client, "/api/report"), StringComparison.Ordinal);
        }
        finally
        {
            process.Kill();
        }
    }

    [Fact]
    public void All_queries_of_TPC_H_give_the_reference_answers_from_kernels_and_all_formats_return_the_rows_under_NativeAOT()
    {
        RequireNativeCompiler();
        string output = Path.Combine(_folder.FullName, "out"), configuration = typeof(NativeAotTests).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()!.Configuration;
        // As it was built with the tests: to build its queries once more takes longer than all the rest.
        // The native compiler warns only when it runs, so it does not find here what it made before.
        string log = DotnetCommand.Run(
            PackedConsumer.RepositoryRoot, "publish", "tests/TpcH.Aot", "-c", configuration, "--no-build", $"-p:NativeIntermediateOutputPath={_folder.FullName}/native/", "-o", output);
        // What docs/data-in-and-out.md says of packages of others: about Apache.Arrow nothing. A warning about one of our assemblies would have been an error.
        Assert.Equal(
            ["IL2104: Assembly 'Parquet'", "IL2104: Assembly 'Sylvan.Data.Csv'", "IL3053: Assembly 'Parquet'", "IL3053: Assembly 'Sylvan.Data.Csv'"],
            Regex.Matches(log, "IL[0-9]{4}: (Assembly '[^']*')?", RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(10)).Select(warning => warning.Value).Distinct().Order(StringComparer.Ordinal));
        Assert.Equal(
            "88 answers right, 0 queries without a kernel\n13 of 13 ways out and back in lose nothing\n", DotnetCommand.RunProgram(Path.Combine(output, "tpch-aot"), output));
    }

    /// <summary>The answer of a server that may still be starting.</summary>
    private static async Task<string> Answer(HttpClient client, string path)
    {
        for (int attempt = 0; ; attempt++)
        {
            try
            {
                return await client.GetStringAsync(new Uri(path, UriKind.Relative), TestContext.Current.CancellationToken);
            }
            catch (HttpRequestException refused) when (refused.StatusCode is null && attempt < 100)
            {
                await Task.Delay(100, TestContext.Current.CancellationToken);
            }
        }
    }

    private static int FreePort()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    /// <summary>Publishes a project of the repository; returns the path of the program.</summary>
    private string Publish(string project)
    {
        RequireNativeCompiler();
        string output = Path.Combine(_folder.FullName, "out");
        DotnetCommand.Run(
            PackedConsumer.RepositoryRoot, "publish", project, "-c", "Release", "-r", "linux-x64", "-p:PublishAot=true", "--artifacts-path", Path.Combine(_folder.FullName, "artifacts"), "-o", output);
        return Path.Combine(output, Path.GetFileName(project));
    }

    private static void RequireNativeCompiler()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && RuntimeInformation.OSArchitecture == Architecture.X64, "published for linux-x64 only");
        Assert.SkipUnless(HasLinker, "NativeAOT needs clang or gcc");
    }

    /// <summary>What a program prints after it was published.</summary>
    private string Published(string program)
    {
        RequireNativeCompiler();
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
