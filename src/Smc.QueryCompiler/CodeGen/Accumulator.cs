namespace Smc.QueryCompiler.CodeGen;

/// <summary>A value that an aggregate changes with every row: in the state (a local during a loop) when the query has one group, at a place in the group otherwise. Begins as zero.</summary>
/// <param name="type">Its C# type.</param>
/// <param name="bytes">Its size in a group.</param>
/// <param name="local">The local, and with a capital letter the field of the state; null in groups.</param>
/// <param name="offset">Its place in a group.</param>
/// <param name="objects">In groups, the list that holds values which cannot lie in a region; the group has the number.</param>
internal sealed class Accumulator(string type, int bytes, string? local, int offset, string? objects)
{
    public string Type => type;

    public int Bytes => bytes;

    public string? Local => local;

    public int Offset => offset;

    public string? Objects => objects;

    /// <summary>Whether code that is being written has the value in its local.</summary>
    public bool IsInLocal { get; set; }

    public string Field => "A" + local!.Substring(1);

    private string Number => "int";

    /// <summary>The value where rows are taken.</summary>
    public string Load(string group) =>
        local is not null ? IsInLocal ? local : "s." + Field
        : objects is not null ? $"{objects}[{Read(Number, group)}]"
        : Read(type, group);

    /// <summary>The value of a part of a scan.</summary>
    public string LoadPart(string group) =>
        local is not null ? "part." + Field
        : objects is not null ? $"{ScanParts.Of(objects)}[{Read(Number, group)}]"
        : Read(type, group);

    /// <summary>The statement that sets it where rows are taken.</summary>
    public string Store(string value, string group) =>
        local is not null ? $"{Load(group)} = {value};"
        : objects is not null ? Write($"{objects}.Put({Read(Number, group)}, {value})", Number, group)
        : Write(value, type, group);

    private string Read(string valueType, string group) => $"{KernelApi.KernelMemory}.Read{Access(valueType)}({group} + {offset})";

    private string Write(string value, string valueType, string group) => $"{KernelApi.KernelMemory}.Write{Access(valueType)}({group} + {offset}, {value});";

    private static string Access(string valueType) => valueType.EndsWith("?", StringComparison.Ordinal) ? $"Optional<{valueType.TrimEnd('?')}>" : $"<{valueType}>";
}
