namespace Smc.QueryCompiler.CodeGen;

/// <summary>Writes how several threads share a scan or a loop: the type that says what each part begins with, and how parts come together.</summary>
internal sealed class ParallelScanEmitter(KernelScope scope, string suffix)
{
    /// <summary>Writes the type of a scan.</summary>
    /// <param name="parts">What is kept.</param>
    /// <param name="scan">The statements that read a block.</param>
    public void WriteScan(ScanParts parts, Action<CodeWriter> scan) => WriteType(KernelApi.IParallelScan, parts, types =>
    {
        using (types.Open($"public static bool Scan(ref State s, int number, ulong {SlotPlace.BlockName}, int slots, ulong validity)"))
        {
            parts.BeginBlock?.Invoke(types);
            scan(types);
            types.Line("return !s.GaveUp;");
        }
    });

    /// <summary>Writes the type of a loop.</summary>
    /// <param name="parts">What is kept.</param>
    /// <param name="loop">The call that goes through the elements from one number up to another.</param>
    public void WriteLoop(ScanParts parts, string loop) => WriteType(KernelApi.IParallelLoop, parts, types =>
    {
        using (types.Open("public static bool Run(ref State s, int first, int end)"))
            types.Line($"{loop}(ref s, first, end);").Line("return !s.GaveUp;");
    });

    /// <summary>Opens the block for a query on one thread, or for a scan that is too short for more.</summary>
    /// <param name="writer">Where the scan stands.</param>
    /// <param name="blocks">Text of what gives the blocks: a memory context and the bytes of a part, or the rows that a reference leads to.</param>
    /// <param name="exceptions">Texts that are true where one thread is enough.</param>
    public CodeWriter.BlockScope OpenSerial(CodeWriter writer, string blocks, IEnumerable<string>? exceptions = null) =>
        writer.Open($"if ({string.Concat((exceptions ?? []).Select(test => test + " || "))}!{KernelApi.ParallelScan}.TryRun<Parts{suffix}, State>(ref s, {blocks}, ref s.GaveUp))");

    /// <summary>As <see cref="OpenSerial"/>, for a loop.</summary>
    /// <param name="writer">Where the loop stands.</param>
    /// <param name="elements">Text of the number of elements and the bytes of a part.</param>
    public CodeWriter.BlockScope OpenSerialLoop(CodeWriter writer, string elements) =>
        writer.Open($"if (!{KernelApi.ParallelScan}.TryRunLoop<Parts{suffix}, State>(ref s, {elements}, ref s.GaveUp))");

    private void WriteType(string kind, ScanParts parts, Action<CodeWriter> work)
    {
        CodeWriter types = scope.Types;
        types.Line("/// <summary>Work for several threads.</summary>");
        using (types.Open($"private readonly struct Parts{suffix} : {kind}<State>"))
        {
            using (types.Open($"public static void Begin(ref State s, int {ScanParts.First})"))
            {
                types.Line($"s.Region = new {KernelApi.Region}(s.Manager);");
                foreach (string region in scope.Regions)
                    types.Line($"{region} = default;");
                foreach (string scratch in scope.Scratch)
                    types.Line($"{scratch} = default;");
                KernelVariant.WriteScratch(types);
                parts.Begin(types);
            }

            types.Line();
            work(types);
            types.Line();
            using (types.Open("public static bool Merge(ref State s, ref State part)"))
            {
                if (parts != ScanParts.None)
                {
                    parts.Merge(types);
                    types.Line("s.Region.Adopt(ref part.Region);");
                }

                types.Line("return !s.GaveUp;");
            }

            types.Line();
            using (types.Open("public static void End(ref State s)"))
            {
                foreach (string region in scope.Regions)
                    types.Line($"{region}.Dispose();");
                types.Line("s.Region.Dispose();");
            }
        }

        types.Line();
    }
}
