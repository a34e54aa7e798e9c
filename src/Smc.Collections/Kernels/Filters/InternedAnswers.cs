using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// What was found out about texts that rows share: it is found out once for each text and not once for each row. Text and answer are one word, so threads may share them.
/// </summary>
/// <remarks>The words of texts are good for the critical section in which they were read; a scan that fills this must not renew its section.</remarks>
internal readonly struct InternedAnswers
{
    // As many as a column shares at most; an answer takes the place of another one where two texts fall together.
    private const int Bits = 12;
    private const ulong AnswerMask = 7;

    private readonly ulong _slots;

    private InternedAnswers(ulong slots) => _slots = slots;

    public static InternedAnswers Create(ref Region region) => new(region.AllocateZeroed(sizeof(ulong) << Bits));

    /// <summary>The answer for a text, or 0 if it is not known.</summary>
    /// <param name="word">The word of an interned text.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Find(ulong word)
    {
        ulong known = KernelMemory.Read<ulong>(SlotOf(word));
        return (known & ~AnswerMask) == (word & ~AnswerMask) ? (int)(known & AnswerMask) : 0;
    }

    /// <summary>Keeps an answer from 1 to 7 and returns it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Keep(ulong word, int answer)
    {
        // Chunks are aligned to 8 bytes: the lowest bits of the word say nothing but that it is interned.
        KernelMemory.Write(SlotOf(word), (word & ~AnswerMask) | (uint)answer);
        return answer;
    }

    private ulong SlotOf(ulong word) => _slots + (KeyWords.Spread(word) >> (64 - Bits)) * sizeof(ulong);
}
