using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>Strings of a query's results: rows that share a text share the string, so that a result of many rows with few texts makes few strings. Of one thread.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct SharedTexts
{
    private TextResults<string?> _strings;

    /// <summary>The string of a word; null for null.</summary>
    /// <inheritdoc cref="TextResults{T}.TryFind" path="/safety"/>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public string? Decode(ulong word) => _strings.TryFind(word, out string? known) ? known : _strings.Keep(word, StringWord.Decode(word));
}
