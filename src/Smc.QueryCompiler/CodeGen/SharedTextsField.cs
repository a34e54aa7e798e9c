namespace Smc.QueryCompiler.CodeGen;

/// <summary>The field of a kernel that makes strings of stored texts for a result: many rows of few texts share them. It is declared when the first is made.</summary>
/// <remarks>The words of all texts are read in one critical section: it is for what comes after the scans.</remarks>
internal sealed class SharedTextsField(KernelScope scope)
{
    private string? _name;

    /// <summary>Text of the string of a word.</summary>
    public string Decode(string word) => $"{_name ??= scope.ScratchField(KernelApi.SharedTexts, "Shared" + scope.Number())}.Decode({word})";
}
