using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The ordinal order of stored texts and one text that is the same for all rows. A text that rows share is compared once.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TextOrder
{
    private readonly ulong _bound;
    private readonly InternedAnswers _known;

    private TextOrder(ulong bound, InternedAnswers known)
    {
        _bound = bound;
        _known = known;
    }

    /// <summary>Makes the order.</summary>
    /// <param name="bound">The word of the text that others are compared with, in the same region or of a row read in the kernel's section.</param>
    /// <param name="region">Where answers are kept.</param>
    public static TextOrder Of(ulong bound, ref Region region) => new(bound, InternedAnswers.Create(ref region));

    /// <summary>A number with the sign of <c>string.CompareOrdinal(text, bound)</c>.</summary>
    /// <safety>The word is live, and the kernel has been in one section since it made the order.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int Compare(ulong text)
    {
        if (!StringWord.IsInterned(text))
            return StringWord.CompareOrdinal(text, _bound);
        int known = _known.Find(text);
        return (known != 0 ? known : _known.Keep(text, Math.Sign(StringWord.CompareOrdinal(text, _bound)) + 2)) - 2;
    }
}
