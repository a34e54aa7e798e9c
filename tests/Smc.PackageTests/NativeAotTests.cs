using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Text.RegularExpressions;
using Xunit;

namespace Smc.PackageTests;

public sealed class NativeAotTests(NativePrograms programs) : IClassFixture<NativePrograms>
{
    [Fact]
    public void The_readme_sample_is_published_with_NativeAOT_without_a_warning_and_runs() => Assert.Equal(ReadmeSample.Output, programs.Run("ReadmeSample", ReadmeSample.Program()));

    [Fact]
    public void Queries_with_private_members_run_their_kernels_under_NativeAOT() => Assert.Equal(PrivateMembersSample.Output, programs.Run("PrivateMembers", PrivateMembersSample.Program));

    [Fact]
    public void Queries_in_parts_run_their_kernels_under_NativeAOT() => Assert.Equal(QueryInPartsSample.Output, programs.Run("QueryInParts", QueryInPartsSample.Program));

    [Fact]
    public void The_sample_with_an_ordered_map_runs_under_NativeAOT() =>
        Assert.EndsWith("228 cells removed, 480 left\n", DotnetCommand.RunProgram(programs.Publish("samples/RollUp"), programs.Folder("cells"), "20000"), StringComparison.Ordinal);

    [Fact]
    public async Task The_dashboard_answers_under_NativeAOT()
    {
        string program = programs.Publish("samples/Dashboard"), address = $"http://127.0.0.1:{FreePort()}";
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
        NativePrograms.RequireCompiler();
        string output = programs.Folder("tpch"), configuration = typeof(NativeAotTests).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()!.Configuration;
        // As it was built with the tests: to build its queries once more takes longer than all the rest.
        // The native compiler warns only when it runs, so it does not find here what it made before.
        string log = DotnetCommand.Run(
            PackedConsumer.RepositoryRoot, "publish", "tests/TpcH.Aot", "-c", configuration, "--no-build", "-p:NativeDebugSymbols=false", $"-p:NativeIntermediateOutputPath={programs.Folder("native")}/", "-o", output);
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
}
