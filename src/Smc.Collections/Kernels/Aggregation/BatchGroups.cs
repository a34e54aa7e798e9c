using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Smc.Collections.Kernels;

/// <summary>
/// The groups of the selected rows of a batch, which <see cref="GroupRecords.FindAll"/> has found. A group is looked for once for each run of rows with one key: rows of facts often lie in the order of what they
/// belong to.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct BatchGroups
{
    private readonly ulong _records;
    private readonly ulong _runs;

    internal BatchGroups(ulong records, ulong runs)
    {
        _records = records;
        _runs = runs;
    }

    /// <summary>The address of a row's group; valid until the next group is added.</summary>
    /// <param name="next">Where the loop is in the selection.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong At(ulong next) => _records + KernelMemory.Read<ulong>(_runs + ((ulong)KernelMemory.Read<uint>(next + ScanBatch.Beside) * sizeof(ulong)));

    /// <summary>Puts the key of each run of selected rows with one key into a list, and the number of its run beside each slot.</summary>
    /// <returns>The number of runs.</returns>
    /// <safety>The selection and the column can be read, and the list has room for a key of each row and <see cref="Vector512{T}.Count"/> more.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    internal static unsafe int ListRuns(ulong keys, ulong stride, ulong selection, int count, ulong list)
    {
        if (count == 0)
            return 0;
        // SAFETY: the caller's promise; a selection vector has room for a number beside each slot, and some more.
        uint* slots = (uint*)selection, beside = (uint*)(selection + ScanBatch.Beside);
        ulong* runs = (ulong*)list;
        int listed = 0, row = 0;
        ulong previous;
        if (stride == sizeof(ulong) && count >= Vector512<ulong>.Count && Avx512F.VL.IsSupported)
        {
            listed = ListRunsOfColumn((ulong*)keys, slots, count, beside, runs);
            row = count & -Vector512<ulong>.Count;
            // As it was listed: a writer may have put another key there since.
            previous = runs[listed - 1];
        }
        else
        {
            // The first row begins a run whatever its key is, so that each row has one.
            runs[listed++] = previous = KernelMemory.Read<ulong>(keys + (*slots * stride));
            beside[row++] = 0;
        }

        int run = listed - 1;
        for (; row < count; row++)
        {
            ulong key = KernelMemory.Read<ulong>(keys + (slots[row] * stride));
            run += (int)KernelMemory.ToUInt64(key != previous);
            runs[run] = previous = key;
            beside[row] = (uint)run;
        }

        return run + 1;
    }

    /// <summary>As <see cref="ListRuns"/> for eight rows or more whose keys lie side by side, eight at a time, up to a multiple of eight. Each key is loaded once.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe int ListRunsOfColumn(ulong* column, uint* slots, int count, uint* beside, ulong* runs)
    {
        int listed = 0;
        Vector512<ulong> here = LoadEight(column, slots);
        // The first row begins a run. Its key is not loaded again for that: a writer could change it to the one that no first key is.
        Vector512<ulong> previous = Vector512.Create(~here.ToScalar());
        for (int row = 0; ; here = LoadEight(column, slots + row))
        {
            KernelMemory.Prefetch((ulong)(column + slots[row]) + KernelMemory.PageAhead);
            // The last of those before, then the first seven of these.
            Vector512<ulong> before = Avx512F.AlignRight64(here, previous, 7);
            Vector512<ulong> differs = ~Vector512.Equals(here, before);
            uint starts = (uint)differs.ExtractMostSignificantBits();
            Avx512F.Compress(Vector512<ulong>.Zero, differs, here).Store(runs + listed);
            // How many runs begin up to each of the eight.
            Vector256<uint> begun = Avx2.ConvertToVector256Int32(Vector128.CreateScalarUnsafe(Bmi2.X64.ParallelBitDeposit(starts, 0x0101_0101_0101_0101) * 0x0101_0101_0101_0101).AsByte()).AsUInt32();
            (begun + Vector256.Create((uint)listed - 1)).Store(beside + row);
            listed += BitOperations.PopCount(starts);
            previous = here;
            row += Vector512<ulong>.Count;
            if (row + Vector512<ulong>.Count > count)
                return listed;
        }
    }

    /// <summary>The keys of eight slots: at once where these are neighbours, as nearly all are between the few rows that were removed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe Vector512<ulong> LoadEight(ulong* column, uint* slots) => slots[7] - slots[0] == 7
        ? Vector512.Load(column + slots[0])
        : Vector512.Create(column[slots[0]], column[slots[1]], column[slots[2]], column[slots[3]], column[slots[4]], column[slots[5]], column[slots[6]], column[slots[7]]);
}
