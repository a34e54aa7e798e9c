using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// A condition on the two rows at the ends of two paths of references, asked once for each pair of them and not for each row of a scan (<see cref="PathEnds"/>).
/// </summary>
/// <remarks>Rows of the scan without a number for both ends are kept, as are those for which the condition raises: it is tested again at the rows that are left.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct EndPairs
{
    private const byte Unasked = 0;
    private const byte Kept = 1;
    private const byte Dropped = 2;

    private readonly PathEnds _left;
    private readonly PathEnds _right;
    private readonly ulong _answers;

    private EndPairs(in PathEnds left, in PathEnds right, ulong answers)
    {
        _left = left;
        _right = right;
        _answers = answers;
    }

    /// <summary>Knows no answer yet.</summary>
    /// <param name="left">The ends of one path.</param>
    /// <param name="right">The ends of the other.</param>
    /// <param name="region">The query's region.</param>
    public static EndPairs Create(in PathEnds left, in PathEnds right, ref Region region)
    {
        if (left.Numbers == 0 || right.Numbers == 0)
            return default;
        ulong answers = region.AllocateZeroed((long)(left.Count * right.Count));
        for (ulong number = 0; number < right.Count; number++)
            KernelMemory.Write(answers + number, Kept);
        for (ulong number = 0; number < left.Count; number++)
            KernelMemory.Write(answers + (number * right.Count), Kept);
        return new EndPairs(left, right, answers);
    }

    /// <summary>Drops the selected rows for whose ends the condition is known not to hold.</summary>
    /// <typeparam name="TTest">The condition.</typeparam>
    /// <typeparam name="TState">The state of the kernel's execution.</typeparam>
    /// <param name="state">The state.</param>
    /// <param name="lefts">The references that the first path begins with.</param>
    /// <param name="rights">Those of the second.</param>
    /// <param name="selection">The slots, 32 bits each.</param>
    /// <param name="count">How many.</param>
    /// <returns>How many are kept.</returns>
    /// <safety>Inside the critical section in which the ends were found; the references are those of the block in which the slots are.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public unsafe int Keep<TTest, TState>(ref TState state, in BlockNumbers lefts, in BlockNumbers rights, ulong selection, int count)
        where TTest : IPairTest<TState>
        where TState : struct, allows ref struct
    {
        if (_answers == 0)
            return count;
        // SAFETY: the caller's promise; kept slots overwrite those that were read before. A number is below the count of its ends, so each pair has its answer.
        uint* next = (uint*)selection, end = next + count, kept = next;
        BlockNumbers left = lefts, right = rights;
        PathEnds leftEnds = _left, rightEnds = _right;
        byte* answers = (byte*)_answers;
        for (; next < end; next++)
        {
            uint slot = *next;
            ulong first = KernelMemory.Read<byte>(leftEnds.Numbers + left.NumberAt<ulong>(slot, leftEnds.Origin, leftEnds.Limit, TargetRows.DenseIdShift));
            ulong second = KernelMemory.Read<byte>(rightEnds.Numbers + right.NumberAt<ulong>(slot, rightEnds.Origin, rightEnds.Limit, TargetRows.DenseIdShift));
            byte answer = answers[(first * rightEnds.Count) + second];
            if (answer == Unasked)
                answers[(first * rightEnds.Count) + second] = answer = Ask<TTest, TState>(ref state, leftEnds.HandleOf(first), rightEnds.HandleOf(second));
            *kept = slot;
            kept += answer & Kept;
        }

        return (int)(kept - (uint*)selection);
    }

    /// <summary>The answer for two rows.</summary>
    private static byte Ask<TTest, TState>(ref TState state, ulong left, ulong right)
        where TTest : IPairTest<TState>
        where TState : struct, allows ref struct
    {
        try
        {
            return TTest.MayHold(ref state, left, right) ? Kept : Dropped;
        }
        catch (Exception)
        {
            // A condition before it may have left such rows out: what is raised is seen at a row that comes so far.
            return Kept;
        }
    }
}
