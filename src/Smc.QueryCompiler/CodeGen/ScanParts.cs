namespace Smc.QueryCompiler.CodeGen;

/// <summary>What a consumer keeps when several threads give it the elements of parts of a scan.</summary>
/// <param name="Begin">Writes the statements that make <c>s</c>, a copy of the state before the scan, one in which nothing is kept yet.</param>
/// <param name="Merge">Writes the statements that add what <c>part</c> keeps to what <c>s</c> keeps of the parts before. The memory of <c>part</c> stays.</param>
/// <param name="Bytes">Text of the memory that a part begins with, as far as it depends on the data.</param>
/// <param name="BeginBlock">Writes what a part does before the block <c>number</c> of a scan; null for nothing.</param>
internal sealed record ScanParts(Action<CodeWriter> Begin, Action<CodeWriter> Merge, string Bytes = "0", Action<CodeWriter>? BeginBlock = null)
{
    /// <summary>A consumer that keeps nothing but what it marks in memory that all threads share.</summary>
    public static readonly ScanParts None = new(_ => { }, _ => { });

    /// <summary>What <see cref="Begin"/> calls the first piece of the part.</summary>
    public const string First = "first";

    /// <summary>A field of the state as <c>part</c> has it.</summary>
    public static string Of(string field) => "part" + field.Substring(1);
}
