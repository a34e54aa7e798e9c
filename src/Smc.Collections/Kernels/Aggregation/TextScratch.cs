using System.ComponentModel;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>A place in a region where a computed text is a word for as long as a question is asked with it; the next text takes its place.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct TextScratch
{
    private ulong _memory;
    private int _capacity;

    /// <summary>A text as a word that compares with stored ones, until the next call.</summary>
    public ulong Encode(string? text, ref Region region)
    {
        if (text is null)
            return 0;
        // Three bytes for a UTF-16 unit are enough, lone surrogates included.
        int needed = sizeof(uint) + (text.Length * 3);
        if (needed > _capacity)
        {
            _capacity = Math.Max(needed, _capacity * 2);
            _memory = region.Allocate(_capacity);
        }

        return StringWord.EncodeAt(text, _memory);
    }
}
