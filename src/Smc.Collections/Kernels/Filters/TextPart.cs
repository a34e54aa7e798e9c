using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>A text that stored texts may contain, which is the same for all rows. A text that rows share is searched once.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TextPart
{
    private readonly TextPattern _pattern;
    private readonly InternedAnswers _known;

    private TextPart(TextPattern pattern, InternedAnswers known)
    {
        _pattern = pattern;
        _known = known;
    }

    /// <summary>Takes the text.</summary>
    /// <param name="text">The text; a search for null raises what <see cref="string"/> raises.</param>
    /// <param name="region">Where its bytes go, and answers are kept.</param>
    public static TextPart Of(string? text, ref Region region) => new(TextPattern.Of(text, ref region), InternedAnswers.Create(ref region));

    /// <summary><c>text.Contains(part)</c>.</summary>
    /// <safety>The word is live, and the kernel has been in one section since it made the part.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public bool IsIn(ulong text)
    {
        if (!StringWord.IsInterned(text))
            return _pattern.IsIn(text);
        int known = _known.Find(text);
        return (known != 0 ? known : _known.Keep(text, _pattern.IsIn(text) ? 2 : 1)) == 2;
    }

    /// <inheritdoc cref="TextPattern.FindIn(ulong, ulong, ulong, int)"/>
    public void FindIn(ulong column, ulong stride, ulong selection, int count) => _pattern.FindIn(column, stride, selection, count, keepsShared: true);

    /// <summary>As <see cref="IsIn"/>, in a loop that <see cref="FindIn"/> precedes.</summary>
    /// <param name="next">Where the loop is in the selection.</param>
    /// <param name="text">The text.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsBeside(ulong next, ulong text)
    {
        int found = KernelMemory.Read<int>(next + ScanBatch.Beside);
        return found != TextPattern.NotAsked ? found >= 0 : IsIn(text);
    }
}
