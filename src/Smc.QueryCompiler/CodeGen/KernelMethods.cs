namespace Smc.QueryCompiler.CodeGen;

/// <summary>Pieces of text that every kernel method is made of.</summary>
internal static class KernelMethods
{
    /// <summary>Declares where a loop over a selection vector is, and where it ends.</summary>
    public const string SelectionBounds = "ulong next = s.Selection, end = next + ((ulong)count << 2);";

    /// <summary>The loop over the rest of a selection vector, between <see cref="SelectionBounds"/>; its slot is <see cref="SelectedSlot"/>.</summary>
    public const string RestOfSelectionLoop = $"for (; {SelectionSteps}";

    /// <summary>The loop over a selection vector; its slot is <see cref="SelectedSlot"/>.</summary>
    public const string SelectionLoop = $"for ({SelectionBounds} {SelectionSteps}";

    private const string SelectionSteps = "next < end; next += 4)";

    /// <summary>Declares the slot that the loop is at.</summary>
    public const string SelectedSlot = $"ulong {SlotPlace.SlotName} = {KernelApi.KernelMemory}.Read<uint>(next);";

    /// <summary>
    /// Makes a method run fully optimised from its first call, without profile or on-stack replacement, so that a query is as fast the first time as later.
    /// </summary>
    public static void Header(CodeWriter writer) =>
        writer.Line("[global::System.Runtime.CompilerServices.MethodImpl(global::System.Runtime.CompilerServices.MethodImplOptions.AggressiveOptimization)]");

    /// <summary>Makes a method part of its caller.</summary>
    public static void InlineHeader(CodeWriter writer) =>
        writer.Line("[global::System.Runtime.CompilerServices.MethodImpl(global::System.Runtime.CompilerServices.MethodImplOptions.AggressiveInlining)]");

    /// <summary>Writes a method: in one line where its body is one statement. Where it has none, nothing is written.</summary>
    public static void Write(CodeWriter writer, string signature, Action<CodeWriter> write)
    {
        CodeWriter body = new();
        write(body);
        string text = body.ToString().TrimEnd('\n');
        if (text.Length == 0)
            return;
        if (text.IndexOf('\n') < 0)
        {
            writer.Line($"{signature} => {text}");
            return;
        }

        using (writer.Open(signature))
            writer.Lines(text);
    }
}
