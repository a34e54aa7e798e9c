using System.Globalization;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// The structs in which a kernel keeps elements: one for all joins, orders and lists that keep the same, whichever variant they are in.
/// </summary>
internal sealed class RecordTypes
{
    /// <summary>What a struct calls itself while it is written: nothing that C# text has.</summary>
    public const string Self = "@record@";

    private readonly Dictionary<string, string> _names = [];
    private readonly CodeWriter _declarations = new();

    /// <summary>The structs; empty for none.</summary>
    public string Declarations => _declarations.ToString();

    /// <summary>The name of a struct.</summary>
    /// <param name="kind">What it is kept for; its name begins with that.</param>
    /// <param name="contract">The interface that it implements; null for none.</param>
    /// <param name="members">Writes its members.</param>
    public string Declare(string kind, string? contract, Action<CodeWriter> members)
    {
        CodeWriter text = new();
        using (text.Open($"private struct {Self}{(contract is null ? "" : " : " + contract)}"))
            members(text);
        string key = kind + text;
        if (_names.TryGetValue(key, out string? known))
            return known;
        string name = kind + _names.Values.Count(other => other.StartsWith(kind, StringComparison.Ordinal)).ToString(CultureInfo.InvariantCulture);
        _names.Add(key, name);
        _declarations.Lines(text.ToString().Replace(Self, name));
        return name;
    }
}
