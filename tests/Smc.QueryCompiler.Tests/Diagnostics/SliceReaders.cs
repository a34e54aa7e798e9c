using Microsoft.CodeAnalysis;
using Xunit;

namespace Smc.QueryCompiler.Tests.Diagnostics;

/// <summary>SMC0063: the function that reads a slice does more than read.</summary>
public sealed class SliceReaders
{
    private const string Usings = "using System;\nusing System.Collections.Generic;\nusing System.Runtime.CompilerServices;\nusing System.Runtime.InteropServices;\nusing Smc.Memory;\n";

    [Theory]
    [InlineData("(bytes, _) => { fixed (byte* p = bytes) return p[3]; }", "use pointers")]
    [InlineData("(bytes, _) => *(int*)BitConverter.ToInt64(bytes)", "use pointers")]
    [InlineData("(bytes, _) => Unsafe.ReadUnaligned<int>(ref MemoryMarshal.GetReference(bytes))", "call 'Unsafe.ReadUnaligned'")]
    [InlineData("(bytes, _) => MemoryMarshal.GetReference(bytes)", "call 'MemoryMarshal.GetReference'")]
    [InlineData("(bytes, _) => heap.TryDelete(SafePtr.FromUInt64(BitConverter.ToUInt64(bytes))) ? 1 : 0", "follow pointers with 'TryDelete'")]
    [InlineData("(bytes, _) => { total = bytes[0]; return 0; }", "write to 'total'")]
    [InlineData("(bytes, _) => { total += bytes[0]; return 0; }", "add to 'total'")]
    [InlineData("(bytes, _) => s_runs++", "add to 's_runs'")]
    [InlineData("(bytes, _) => { this._last = bytes[0]; return 0; }", "write to 'this._last'")]
    [InlineData("(bytes, _) => { numbers[0] = bytes[0]; return 0; }", "write to 'numbers[0]'")]
    [InlineData("(bytes, state) => { state[bytes[0]]++; return 0; }", "add to 'state[bytes[0]]'")]
    [InlineData("delegate(ReadOnlySpan<byte> bytes, int[] state) { Action a = () => total++; return 0; }", "add to 'total'")]
    public async Task What_it_must_not_do_is_reported(string reader, string fault)
    {
        Diagnostic diagnostic = Assert.Single(await TabularCompilation.Of(Program(reader)).AnalyzeAsync());

        Assert.Equal("SMC0063", diagnostic.Id);
        Assert.Equal(DiagnosticSeverity.Warning, diagnostic.Severity);
        Assert.Contains($"it must not {fault}. ", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("(bytes, _) => bytes.Length + total")]
    [InlineData("(bytes, _) => { int sum = 0; foreach (byte b in bytes) sum += b; return sum; }")]
    [InlineData("(bytes, state) => { state[0] = bytes[0]; return 0; }")]
    [InlineData("(bytes, state) => { Span<int> counts = stackalloc int[256]; counts[bytes[0]]++; _ = bytes[1]; return counts[0]; }")]
    [InlineData("(bytes, _) => MemoryMarshal.Read<int>(bytes)")]
    [InlineData("(bytes, _) => { (int a, int b) = (bytes[0], bytes[1]); return a + b; }")]
    public async Task What_it_may_do_is_not(string reader) => Assert.Empty(await TabularCompilation.Of(Program(reader)).AnalyzeAsync());

    [Fact]
    public async Task Writers_may_do_what_they_like() => Assert.Empty(await TabularCompilation.Of(
        Usings + "public class C { int _last; public void M(SliceHeap heap, SafePtr at) => heap.TryWrite(at, 0, (bytes, _) => { _last++; heap.TryDelete(at); }); }").AnalyzeAsync());

    private static string Program(string reader) => Usings +
        "public unsafe class C { static int s_runs; int _last; public int Last => _last; public void M(SliceHeap heap, SafePtr at, int[] numbers) { int total = 0; heap.TryRead<int[], int>(at, numbers, " +
        reader + ", out _); Console.WriteLine(total + s_runs); } }";
}
