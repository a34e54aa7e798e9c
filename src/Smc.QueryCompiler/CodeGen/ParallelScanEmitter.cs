namespace Smc.QueryCompiler.CodeGen;

/// <summary>Writes how several threads share a scan or a loop: the type that says what each part begins with, and how parts come together.</summary>
internal sealed class ParallelScanEmitter(KernelScope scope, string suffix)
{
    private string Types => $"Parts{suffix}, State";

    /// <summary>Writes the type of a scan.</summary>
    /// <param name="parts">What is kept.</param>
    /// <param name="scan">The statements that read a block.</param>
    /// <param name="seek">The calls of the scanner that ask indexes.</param>
    /// <param name="beginSerial">Writes what precedes a scan on one thread.</param>
    public void WriteScan(ScanParts parts, Action<CodeWriter> scan, IReadOnlyList<string> seek, Action<CodeWriter> beginSerial) => WriteType(KernelApi.IParallelScan, parts, beginSerial, types =>
    {
        WriteMember(types, $"Scan(ref State s, int number, ulong {SlotPlace.BlockName}, int slots, ulong validity, int from)", body =>
        {
            parts.BeginBlock?.Invoke(body);
            scan(body);
        });
        WriteMember(types, $"Seek(ref State s, ref {KernelApi.BlockScanner} scan)", body =>
        {
            foreach (string call in seek)
                body.Line($"scan.{call};");
        });
    });

    /// <summary>Writes the type of a loop.</summary>
    /// <param name="parts">What is kept.</param>
    /// <param name="loop">The call that goes through the elements from one number up to another.</param>
    /// <param name="beginSerial">Writes what precedes a loop on one thread.</param>
    public void WriteLoop(ScanParts parts, string loop, Action<CodeWriter> beginSerial) =>
        WriteType(KernelApi.IParallelLoop, parts, beginSerial, types => WriteMember(types, "Run(ref State s, int first, int end)", body => body.Line($"{loop}(ref s, first, end);")));

    /// <summary>The statement that reads the rows of a collection, on several threads or on one.</summary>
    /// <param name="rows">Text of the row type, and of the collection, the hash of its layout and the bytes of a part.</param>
    /// <param name="exceptions">Texts that are true where one thread is enough.</param>
    public string Scan((string Type, string Arguments) rows, IReadOnlyCollection<string> exceptions) =>
        $"{KernelApi.ParallelScan}.Scan<Parts{suffix}, {rows.Type}, State>(ref s, {rows.Arguments}{(exceptions.Count == 0 ? "" : ", " + string.Join(" || ", exceptions))});";

    /// <summary>The statement that reads the rows that a reference leads to.</summary>
    public string ScanTargets(string target) => $"{KernelApi.ParallelScan}.ScanTargets<{Types}>(ref s, {target});";

    /// <summary>The statement that goes through kept elements.</summary>
    /// <param name="elements">Text of the number of elements and the bytes of a part.</param>
    public string Loop(string elements) => $"{KernelApi.ParallelScan}.Loop<{Types}>(ref s, {elements});";

    /// <summary>Opens the block for a query on one thread, or for a scan that is too short for more, where the kernel has the loop over the blocks.</summary>
    /// <param name="writer">Where the scan stands.</param>
    /// <param name="blocks">Text of what gives the blocks: a memory context and the bytes of a part.</param>
    /// <param name="exceptions">Texts that are true where one thread is enough.</param>
    public CodeWriter.BlockScope OpenSerial(CodeWriter writer, string blocks, IEnumerable<string> exceptions) =>
        writer.Open($"if ({string.Concat(exceptions.Select(test => test + " || "))}!{KernelApi.ParallelScan}.TryRun<{Types}>(ref s, {blocks}))");

    private void WriteType(string kind, ScanParts parts, Action<CodeWriter> beginSerial, Action<CodeWriter> work)
    {
        CodeWriter types = scope.Types;
        using (types.Open($"private readonly struct Parts{suffix} : {kind}<State>"))
        {
            work(types);
            WriteMember(types, $"Begin(ref State s, int {ScanParts.First})", parts.Begin);
            WriteMember(types, "Merge(ref State s, ref State part)", parts.Merge);
            WriteMember(types, "BeginSerial(ref State s)", beginSerial);
        }

        types.Line();
    }

    /// <summary>Writes a method of the type: nothing where it does nothing, as the interface says what happens then.</summary>
    private static void WriteMember(CodeWriter types, string signature, Action<CodeWriter> write) => KernelMethods.Write(types, "public static void " + signature, write);
}
