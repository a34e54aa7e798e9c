using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Whether an ordered index is cheaper than a scan, by the numbers of rows when the query runs. The unit is a nanosecond of a usual machine; only the proportions matter. Where the two are near each
/// other, the scan: it suffers less from a wrong guess.
/// </summary>
internal static class IndexCost
{
    /// <summary>Rows at most: their places are sorted.</summary>
    private const int MostRows = 1 << 16;

    /// <summary>To estimate the rows of an interval, and to begin.</summary>
    private const double Begin = 2000;

    /// <summary>A row that an index finds somewhere: its word, its entry, its place among the others, its block's zone map, and a batch for few rows. Some five cache misses.</summary>
    private const double FoundRow = 400;

    /// <summary>A row that a scan compares with a range, a column at a time.</summary>
    private const double ComparedRow = 0.2;

    /// <summary>A block whose zone map is looked at.</summary>
    private const double Block = 5;

    /// <summary>How much cheaper an index has to be.</summary>
    private const double Margin = 1.3;

    // First rows: measured with bench/Micro -- first-rows.

    /// <summary>A cursor over the index, its first batch of words included.</summary>
    private const double BeginFirst = 5000;

    /// <summary>A row of a scan without conditions, compared with the first rows so far.</summary>
    private const double TakenRow = 1;

    /// <summary>A row of a scan that few rows pass.</summary>
    private const double FilteredRow = 0.3;

    /// <summary>A row that a cursor looks at and a query reads: its word, its entry, its key, its block's zone maps, and a batch for itself.</summary>
    private const double FirstRow = 500;

    /// <summary>The part of the cost of a scan that may be spent in vain before it.</summary>
    private const double VainShare = 0.04;

    /// <summary>The part of it that may be spent where the rows so far say that this will do.</summary>
    private const double HopeShare = 0.2;

    /// <summary>A key of a list that is looked up, twice, and the row that has it: four cache misses, some of them at one time.</summary>
    private const double ListedKey = 300;

    /// <summary>To estimate the rows of a key of a list in an ordered index, and to find the first of them.</summary>
    private const double ListedInterval = 1500;

    /// <summary>A row whose value is looked for in a table of the values of a list.</summary>
    private const double ListedRow = 0.5;

    /// <summary>A row for whose value a list or a set is asked.</summary>
    private const double AskingRow = 3;

    /// <summary>A row whose partner is looked up, twice, and read: five cache misses.</summary>
    private const double SoughtPartner = 600;

    /// <summary>To estimate how many rows keys have.</summary>
    private const double BeginPartners = 3000;

    /// <summary>A row whose key is looked up in an ordered index, of which the rows are estimated first.</summary>
    private const double SoughtKey = 1500;

    /// <summary>A row that is found there, and looked at again in the end: three cache misses.</summary>
    private const double FoundPartner = 250;

    /// <summary>The part of the cost of a table that may be spent before it in vain: how many rows the keys have is seen one by one, and a popular one may come last.</summary>
    private const double VainPartners = 0.25;

    /// <summary>A row that a table of a join keeps.</summary>
    private const double KeptPartner = 8;

    /// <summary>A row of which a filter keeps a bit, or that fails a condition.</summary>
    private const double PassedPartner = 0.5;

    /// <summary>To copy a list, and for the memory of what is found.</summary>
    private const double BeginListed = 500;

    private const int MostSamples = 64;
    private const int LeastSamples = 4;

    /// <summary>Estimates the rows of an interval and compares.</summary>
    /// <param name="index">The index.</param>
    /// <param name="interval">The interval of its keys.</param>
    /// <param name="values">The same interval as values of zone maps; all if the column has none.</param>
    /// <param name="blocks">The blocks of the scan.</param>
    /// <returns>Rows that the index may find; 0 if the scan is cheaper.</returns>
    /// <safety>The caller is inside the critical section in which it read the list of blocks and saw the index.</safety>
    public static int MostFound(SortedIndex index, KeyInterval interval, ValueRange values, BlockList blocks)
    {
        QueryOptions options = KernelOptions.Current;
        if (options.SeeksAlways)
            return MostRows;
        double rows = index.Context.Count, zones = blocks.Count * Block;
        int most = RowsFor((zones + (rows * ComparedRow)) / options.DegreeOfParallelism);
        if (most == 0)
            return 0;
        long found = index.EstimateOf(interval, most);
        if (found > most)
            return 0;
        // Rows that are next to one another, as they often are in the order of a date, cost a scan no more than the index.
        double left = index.Parts[0].ZoneMapOffset >= 0 ? Math.Max(found, rows * ShareOfBlocks(OtherConditions.None.Within((ulong)index.Parts[0].ZoneMapOffset, values), blocks)) : rows;
        most = RowsFor((zones + (left * ComparedRow)) / options.DegreeOfParallelism);
        return found > most ? 0 : (int)Math.Min(MostRows, (2 * found) + 64);
    }

    /// <summary>How many rows an index may look at to find the first of an interval, where a scan would read all.</summary>
    /// <param name="index">The index.</param>
    /// <param name="wanted">The rows that are wanted.</param>
    /// <param name="values">The interval as values of zone maps.</param>
    /// <param name="others">The conditions for which rows of the interval may be unwanted.</param>
    /// <param name="blocks">The blocks of the scan.</param>
    /// <inheritdoc cref="MostFound" path="/safety"/>
    public static FirstRowsBudget BudgetOfFirst(SortedIndex index, WantedRows wanted, ValueRange values, OtherConditions others, BlockList blocks)
    {
        QueryOptions options = KernelOptions.Current;
        if (options.SeeksAlways)
            return new FirstRowsBudget(MostRows, MostRows, MostRows);
        bool takesAll = values.IsAll && !others.AreAny;
        double row = takesAll ? TakenRow : FilteredRow;
        FirstRowsBudget budget = Budget(1);
        if (budget.InVain == 0 || takesAll)
            return budget;
        ulong zone = values.IsAll ? 0 : (ulong)Math.Max(0, index.Parts[0].ZoneMapOffset);
        return Budget(ShareOfBlocks(others.Within(zone, values), blocks));

        FirstRowsBudget Budget(double share)
        {
            double scan = ((blocks.Count * Block) + (index.Context.Count * share * row)) / options.DegreeOfParallelism;
            // Where all rows are wanted it is known what will be spent; where some are, or many may have one key, all of it may be in vain.
            int sure = FirstRowsFor((scan / Margin) - BeginFirst), inVain = FirstRowsFor((VainShare * scan) - (others.AreAny ? BeginFirst : 0));
            if (!others.AreAny && !wanted.WithTies)
                inVain = sure;
            return wanted.Count <= Math.Min(sure, inVain) ? new FirstRowsBudget(inVain, Math.Max(inVain, FirstRowsFor(HopeShare * scan)), others.AreAny ? 0 : Math.Max(inVain, sure)) : default;
        }
    }

    /// <summary>Whether it is cheaper to look the keys of a list up than to compare all rows with them.</summary>
    /// <param name="rows">The rows of the collection.</param>
    /// <param name="keys">The keys of the list.</param>
    /// <param name="others">The other conditions.</param>
    /// <param name="isTable">Whether a scan would look the rows' values up in a table of the list.</param>
    /// <param name="blocks">The blocks of the scan.</param>
    /// <inheritdoc cref="MostFound" path="/safety"/>
    public static bool PaysForListed(long rows, int keys, OtherConditions others, bool isTable, BlockList blocks)
    {
        QueryOptions options = KernelOptions.Current;
        if (options.SeeksAlways || keys == 0)
            return keys <= MostRows;
        // Ranges are tested first, and few rows may be left for the list.
        double lookUps = (BeginListed + (keys * ListedKey)) * Margin, row = others.AreAny ? ComparedRow : isTable ? ListedRow : AskingRow;
        return keys <= MostRows && lookUps < Scan(1) && (!others.AreAny || lookUps < Scan(ShareOfBlocks(others, blocks)));

        double Scan(double share) => ((blocks.Count * Block) + (rows * share * row)) / options.DegreeOfParallelism;
    }

    /// <summary>How many rows an ordered index may find for the keys of a list, where a scan would compare all rows with them; 0 if the scan is cheaper.</summary>
    /// <inheritdoc cref="PaysForListed" path="/param|/safety"/>
    public static int MostListed(long rows, int keys, OtherConditions others, bool isTable, BlockList blocks)
    {
        QueryOptions options = KernelOptions.Current;
        if (options.SeeksAlways || keys == 0)
            return keys <= MostRows ? MostRows : 0;
        double row = others.AreAny ? ComparedRow : isTable ? ListedRow : AskingRow;
        int most = MostOf(1);
        return most == 0 || !others.AreAny ? most : Math.Min(most, MostOf(ShareOfBlocks(others, blocks)));

        int MostOf(double share) => RowsFor((((blocks.Count * Block) + (rows * share * row)) / options.DegreeOfParallelism) - (BeginListed + (keys * ListedInterval)) * Margin);
    }

    /// <summary>Whether it is cheaper that each row on the left of a join looks its partner up than to make a table of the right side.</summary>
    /// <param name="left">The rows on the left, at most.</param>
    /// <param name="right">The rows of the collection on the right.</param>
    /// <param name="keepsAll">Whether the table would have all of these.</param>
    public static bool PaysForPartners(long left, long right, bool keepsAll)
    {
        QueryOptions options = KernelOptions.Current;
        return options.SeeksAlways || (Begin + (left * SoughtPartner)) * Margin < TableOf(right, keepsAll, options);
    }

    /// <summary>How many rows an ordered index may find for the keys of a join's left side, where otherwise a table would be made of the right side; 0 if the table is cheaper.</summary>
    /// <param name="index">The index.</param>
    /// <param name="parts">The columns with which it begins, and which are compared with the key.</param>
    /// <param name="left">The rows on the left, at most.</param>
    /// <param name="keepsAll">Whether the table would have all rows of the right side.</param>
    /// <inheritdoc cref="MostFound" path="/safety"/>
    public static long MostPartners(SortedIndex index, KeyPart[] parts, long left, bool keepsAll)
    {
        QueryOptions options = KernelOptions.Current;
        if (options.SeeksAlways)
            return MostRows;
        double most = ((TableOf(index.Context.Count, keepsAll, options) * VainPartners) - BeginPartners - (left * SoughtKey)) / FoundPartner;
        return most >= left && left * OrderedPartners.TypicalRows(index, parts, (long)most) <= most ? (long)most : 0;
    }

    private static double TableOf(long right, bool keepsAll, QueryOptions options) => right * (keepsAll ? KeptPartner : PassedPartner) / options.DegreeOfParallelism;

    private static int FirstRowsFor(double cost) => (int)Math.Clamp(cost / FirstRow, 0, MostRows);

    private static int RowsFor(double scan) => (int)Math.Clamp(((scan / Margin) - Begin) / FoundRow, 0, MostRows);

    /// <summary>The share of blocks that zone maps leave for a scan, from a sample.</summary>
    private static double ShareOfBlocks(OtherConditions conditions, BlockList blocks)
    {
        int samples = Math.Min(blocks.Count, Math.Clamp(blocks.Count / MostSamples, LeastSamples, MostSamples)), left = 0;
        for (int i = 0; i < samples; i++)
        {
            if (conditions.MayPass(blocks[(int)((long)i * blocks.Count / samples)].Address))
                left++;
        }

        return samples == 0 ? 0 : (double)left / samples;
    }
}
