using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Micro;

/// <summary>
/// What a pass over a batch gains before the loop that uses what it found (decision 0045): groups are looked for once for each run of neighbours with one key, beside a look-up for each row; and texts are searched for
/// a whole batch, beside a search for each row. Sums and counts are compared in every round.
/// </summary>
internal static class RunStudy
{
    public const string Verb = "runs";

    private const int Rows = 1 << 20;
    private const int Rounds = 15;

    public static void Run()
    {
        Console.WriteLine("| rows of a run | keys | a look-up for each row, ns | for each run, ns | ratio |");
        Console.WriteLine("| ---: | ---: | ---: | ---: | ---: |");
        foreach (int length in new[] { 1, 2, 4, 16 })
        {
            foreach (int keys in new[] { 100, 10_000, 200_000 })
                CompareGroups(length, keys);
        }

        Console.WriteLine();
        Console.WriteLine("| bytes of a text | texts with the pattern | a search for each row, ns | for a batch, ns | ratio |");
        Console.WriteLine("| ---: | ---: | ---: | ---: | ---: |");
        foreach (int length in new[] { 5, 20, 50, 100 })
        {
            foreach (int share in new[] { 0, 5, 100 })
                CompareTexts(length, share);
        }
    }

    private static void CompareGroups(int length, int keys)
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        ulong column = region.Allocate(Rows * sizeof(long)), selection = Selection(ref region);
        Random random = new(1);
        for (int row = 0, key = 0; row < Rows; row++)
        {
            key = row % length == 0 ? 1 + random.Next(keys) : key;
            KernelMemory.Write(column + ((ulong)row * sizeof(long)), (long)key);
        }

        (double single, double runs) = Best(() => Sum(manager, column, selection, isByRow: true), () => Sum(manager, column, selection, isByRow: false));
        Write($"{length} | {keys:N0}", single, runs);
        region.Dispose();
    }

    /// <summary>Counts the rows of each group.</summary>
    /// <returns>What depends on all counts.</returns>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static long Sum(MemoryManager manager, ulong column, ulong selection, bool isByRow)
    {
        State state = new() { Region = new(manager), Groups = new(2 * sizeof(long)) };
        for (int first = 0; first < Rows; first += ScanBatch.Rows)
        {
            ulong keys = column + ((ulong)first * sizeof(long)), end = selection + (ScanBatch.Rows * sizeof(uint));
            if (isByRow)
            {
                for (ulong next = selection; next < end; next += sizeof(uint))
                    Count(Finder.Find(ref state, KernelMemory.Read<ulong>(keys + ((ulong)KernelMemory.Read<uint>(next) * sizeof(long)))));
            }
            else
            {
                BatchGroups found = state.Groups.FindAll<Finder, State>(ref state, keys, sizeof(long), selection, ScanBatch.Rows, ref state.Region);
                for (ulong next = selection; next < end; next += sizeof(uint))
                    Count(found.At(next));
            }
        }

        long sum = 0;
        for (int group = 0; group < state.Groups.Count; group++)
            sum += KernelMemory.Read<long>(state.Groups.At((uint)group)) * (KernelMemory.Read<long>(state.Groups.At((uint)group) + sizeof(long)) + group);
        state.Region.Dispose();
        return sum;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Count(ulong group) => KernelMemory.Write(group + sizeof(long), KernelMemory.Read<long>(group + sizeof(long)) + 1);

    private static void CompareTexts(int length, int share)
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        const string Pattern = "special";
        ulong column = region.Allocate(Rows * sizeof(ulong)), selection = Selection(ref region);
        Random random = new(2);
        char[] letters = new char[length];
        for (int row = 0; row < Rows; row++)
        {
            for (int i = 0; i < length; i++)
                letters[i] = "etaoinshrdlcumwfgypbvk "[random.Next(23)];
            if (random.Next(100) < share && length >= Pattern.Length)
                Pattern.CopyTo(0, letters, random.Next(length - Pattern.Length + 1), Pattern.Length);
            KernelMemory.Write(column + ((ulong)row * sizeof(ulong)), StringWord.EncodeInto(letters, ref region));
        }

        TextPattern pattern = TextPattern.Of(Pattern, ref region);
        (double single, double batch) = Best(() => Search(pattern, column, selection, isByRow: true), () => Search(pattern, column, selection, isByRow: false));
        Write($"{length} | {share} %", single, batch);
        region.Dispose();
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static long Search(in TextPattern pattern, ulong column, ulong selection, bool isByRow)
    {
        long sum = 0;
        for (int first = 0; first < Rows; first += ScanBatch.Rows)
        {
            ulong words = column + ((ulong)first * sizeof(ulong)), end = selection + (ScanBatch.Rows * sizeof(uint));
            if (isByRow)
                ScanBatch.AskForTexts(words, selection, ScanBatch.Rows);
            else
                pattern.FindIn(words, sizeof(ulong), selection, ScanBatch.Rows);
            for (ulong next = selection; next < end; next += sizeof(uint))
            {
                ulong word = KernelMemory.Read<ulong>(words + ((ulong)KernelMemory.Read<uint>(next) * sizeof(ulong)));
                sum += isByRow ? pattern.IndexIn(word) : pattern.IndexBeside(next, word);
            }
        }

        return sum;
    }

    private static ulong Selection(ref Region region)
    {
        ulong selection = region.Allocate(ScanBatch.SelectionBytes);
        for (uint row = 0; row < ScanBatch.Rows; row++)
            KernelMemory.Write(selection + (row * sizeof(uint)), row);
        return selection;
    }

    /// <summary>The least times of two ways, in turns.</summary>
    private static (double First, double Second) Best(Func<long> first, Func<long> second)
    {
        double[] best = [double.MaxValue, double.MaxValue];
        for (int round = 0; round < Rounds; round++)
        {
            long[] results = new long[2];
            for (int way = 0; way < 2; way++)
            {
                long start = Stopwatch.GetTimestamp();
                results[way] = (way == 0 ? first : second)();
                best[way] = Math.Min(best[way], Stopwatch.GetElapsedTime(start).TotalNanoseconds / Rows);
            }

            if (results[0] != results[1])
                throw new InvalidOperationException("The two ways differ.");
        }

        return (best[0], best[1]);
    }

    private static void Write(string what, double first, double second) =>
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {what} | {first:F2} | {second:F2} | {first / second:F2} |"));

    private ref struct State
    {
        public Region Region;
        public GroupRecords Groups;
        public GroupHashTable Table;
    }

    private readonly struct Finder : IGroupFinder<State>
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static ulong Find(ref State state, ulong key) => state.Table.FindOrAdd(ref state.Groups, key, ref state.Region);
    }
}
