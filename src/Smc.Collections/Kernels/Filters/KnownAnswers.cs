using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// What a sequence of unknown kind answered lately: few different values are asked for many times, and asking may mean an enumeration. Question and answer are one word, so threads may share them.
/// </summary>
internal readonly struct KnownAnswers
{
    private const int Bits = 8;

    private readonly ulong _slots;

    private KnownAnswers(ulong slots) => _slots = slots;

    public static KnownAnswers Create(ref Region region) => new(region.AllocateZeroed(sizeof(ulong) << Bits));

    /// <summary>Whether the answer to a question is known.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGet(ulong question, out bool answer)
    {
        ulong known = KernelMemory.Read<ulong>(SlotOf(question));
        answer = (known & 1) != 0;
        return known != 0 && known >> 1 == question;
    }

    /// <summary>Keeps an answer in the place of another, if the question leaves a bit for it.</summary>
    public bool Keep(ulong question, bool answer)
    {
        if (question << 1 >> 1 == question)
            KernelMemory.Write(SlotOf(question), (question << 1) | KernelMemory.ToUInt64(answer));
        return answer;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong SlotOf(ulong question) => _slots + (KeyWords.Spread(question) >> (64 - Bits)) * sizeof(ulong);
}
