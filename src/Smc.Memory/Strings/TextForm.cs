using System.ComponentModel;

namespace Smc.Memory;

/// <summary>
/// How a column holds a text: what a kernel asks once, inside its critical section, so that it can compare words instead of texts.
/// </summary>
/// <param name="Word">A word of the text.</param>
/// <param name="IsExact">
/// True if a row of the column holds the text if and only if it holds this very word. Rows added or changed later than the question was asked may hold
/// it otherwise; they are concurrent with whoever asked.
/// </param>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct TextForm(ulong Word, bool IsExact);
