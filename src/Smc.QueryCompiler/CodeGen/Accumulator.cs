namespace Smc.QueryCompiler.CodeGen;

/// <summary>A value that an aggregate changes with every row: a local during a loop when the query has one group, a place in the group otherwise. Begins as zero.</summary>
/// <param name="Type">Its C# type.</param>
/// <param name="Bytes">Its size.</param>
/// <param name="Local">The local, and with a capital letter the field of the state; null in groups.</param>
/// <param name="Offset">Its place in a group.</param>
internal sealed record Accumulator(string Type, int Bytes, string? Local, int Offset)
{
    /// <summary>The value within a loop.</summary>
    public string Load => Local ?? $"{KernelApi.KernelMemory}.Read<{Type}>({GroupCursor.Group} + {Offset})";

    /// <summary>The value after the pipeline.</summary>
    public string Final => Local is null ? Load : "s." + Field;

    public string Field => "A" + Local!.Substring(1);

    /// <summary>The statement that sets it.</summary>
    public string Store(string value) => Local is null
        ? $"{KernelApi.KernelMemory}.Write<{Type}>({GroupCursor.Group} + {Offset}, {value});"
        : $"{Local} = {value};";
}
