using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// What a sequence of unknown kind answered lately: few different values are asked for many times, and asking may mean an enumeration. A cache of sets: a question has a place in one line of memory only, beside
/// seven others. Question and answer are one word, so threads may share them.
/// </summary>
internal readonly struct KnownAnswers
{
    private const int SetBits = 6;
    private const ulong Ways = 8;
    private const ulong SetBytes = Ways * sizeof(ulong);

    // The lowest bit of what is known says that it is known, the next is the answer.
    private const ulong IsKnown = 1;
    private const ulong IsTrue = 2;
    private const int FlagBits = 2;

    private readonly ulong _sets;

    private KnownAnswers(ulong sets) => _sets = sets;

    public static KnownAnswers Create(ref Region region) => new(region.AllocateZeroed((long)SetBytes << SetBits));

    /// <summary>Whether the answer to a question is known.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGet(ulong question, out bool answer)
    {
        ulong wanted = (question << FlagBits) | IsKnown;
        for (ulong slot = SetOf(question), end = slot + SetBytes; slot < end; slot += sizeof(ulong))
        {
            ulong known = KernelMemory.Read<ulong>(slot);
            if ((known & ~IsTrue) != wanted)
                continue;
            answer = (known & IsTrue) != 0;
            // A question whose upper bits do not fit is never kept, and must not be taken for another.
            return question << FlagBits >> FlagBits == question;
        }

        answer = false;
        return false;
    }

    /// <summary>Keeps an answer, if the question leaves bits for it: in a free place, or in that of another.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public bool Keep(ulong question, bool answer)
    {
        if (question << FlagBits >> FlagBits != question)
            return answer;
        ulong set = SetOf(question), slot = set;
        while (slot < set + SetBytes && KernelMemory.Read<ulong>(slot) != 0)
            slot += sizeof(ulong);
        if (slot == set + SetBytes)
            slot = set + (question % Ways * sizeof(ulong));
        KernelMemory.Write(slot, (question << FlagBits) | (answer ? IsTrue : 0) | IsKnown);
        return answer;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong SetOf(ulong question) => _sets + (KeyWords.Spread(question) >> (64 - SetBits)) * SetBytes;
}
