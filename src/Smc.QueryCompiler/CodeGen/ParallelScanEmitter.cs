namespace Smc.QueryCompiler.CodeGen;

/// <summary>Writes how several threads share a scan: the type that says what each part begins with, and how parts come together.</summary>
internal sealed class ParallelScanEmitter(KernelScope scope, string suffix)
{
    /// <summary>Writes the type.</summary>
    /// <param name="parts">What is kept.</param>
    /// <param name="scan">The statements that read a block.</param>
    public void WriteType(ScanParts parts, Action<CodeWriter> scan)
    {
        CodeWriter types = scope.Types;
        types.Line("/// <summary>A scan on several threads.</summary>");
        using (types.Open($"private readonly struct Parts{suffix} : {KernelApi.IParallelScan}<State>"))
        {
            using (types.Open("public static void Begin(ref State s)"))
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
            using (types.Open($"public static bool Scan(ref State s, ulong {SlotPlace.BlockName}, int slots, ulong validity)"))
            {
                scan(types);
                types.Line("return !s.GaveUp;");
            }

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

    /// <summary>Opens the block for a query on one thread, or for a scan that is too short for more.</summary>
    /// <param name="writer">Where the scan stands.</param>
    /// <param name="blocks">Text of what gives the blocks: a memory context and the bytes of a part, or the rows that a reference leads to.</param>
    public CodeWriter.BlockScope OpenSerial(CodeWriter writer, string blocks) =>
        writer.Open($"if (!{KernelApi.ParallelScan}.TryRun<Parts{suffix}, State>(ref s, {blocks}, ref s.GaveUp))");
}
