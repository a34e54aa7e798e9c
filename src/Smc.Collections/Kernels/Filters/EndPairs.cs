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

    /// <summary>To follow two paths takes as long as to number so many rows on the way.</summary>
    private const double MostNumbersForRow = 4;

    private readonly PathEnds _left;
    private readonly PathEnds _right;
    private readonly ulong _answers;

    private EndPairs(in PathEnds left, in PathEnds right, ulong answers)
    {
        _left = left;
        _right = right;
        _answers = answers;
    }

    /// <summary>Finds the ends of two paths from rows that are marked as true, and knows no answer yet. Nothing is found, and no row dropped, where more than 254 rows lie at an end, or too few rows of the scan are left to pay for it.</summary>
    /// <param name="left">The rows that the first path begins at, once their condition was asked.</param>
    /// <param name="leftPath">Four numbers for each reference column on the way: where blocks have its zone map, the reference of slot 0, from one to the next, and the layout of the rows that it leads to, 0 for any.</param>
    /// <param name="right">The rows that the second path begins at.</param>
    /// <param name="rightPath">That path.</param>
    /// <param name="rows">The rows of the scan.</param>
    /// <param name="region">The query's region.</param>
    /// <safety>Inside the critical section in which the rows were marked; a path's first column is one of the target's rows, each further one of the rows that the one before leads to.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static EndPairs Create(in TargetRows left, ReadOnlySpan<ulong> leftPath, in TargetRows right, ReadOnlySpan<ulong> rightPath, long rows, ref Region region)
    {
        TargetRows[] leftSteps = PathEnds.StepsOf(left, leftPath), rightSteps = PathEnds.StepsOf(right, rightPath);
        if (leftSteps.Length == 0 || rightSteps.Length == 0)
            return default;
        double leftRows = left.CountTrue(), rightRows = right.CountTrue();
        // As if the two conditions had nothing to do with each other. The first row with a pair has its paths followed, and is not saved.
        double asked = rows * (leftRows / left.Limit) * (rightRows / right.Limit), saved = asked - ((double)leftSteps[^1].Limit * rightSteps[^1].Limit);
        double numbers = leftRows + rightRows + RowsBetween(leftSteps) + RowsBetween(rightSteps);
        // Of no rows there is no share, which is not a number.
        if (!(saved * MostNumbersForRow >= numbers) && !KernelOptions.Current.PairsAlways)
            return default;
        PathEnds leftEnds = PathEnds.Of(leftSteps, leftPath, ref region), rightEnds = PathEnds.Of(rightSteps, rightPath, ref region);
        ulong answers = region.AllocateZeroed((long)(leftEnds.Count * rightEnds.Count));
        for (ulong number = 0; number < rightEnds.Count; number++)
            KernelMemory.Write(answers + number, Kept);
        for (ulong number = 0; number < leftEnds.Count; number++)
            KernelMemory.Write(answers + (number * rightEnds.Count), Kept);
        return new EndPairs(leftEnds, rightEnds, answers);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static double RowsBetween(TargetRows[] steps)
    {
        double rows = 0;
        for (int step = 1; step < steps.Length - 1; step++)
            rows += steps[step].Limit;
        return rows;
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
