using Smc.Memory.OrderedChunks;
using Smc.Memory.Slices;
using Xunit;

namespace Smc.Memory.Tests;

/// <summary>What a sorted table does for one thread, whatever form its keys have in chunks: within a word, in two, or in slices.</summary>
public sealed class OrderedTableTests
{
    private static readonly Comparer<byte[]> s_order = Comparer<byte[]>.Create(static (x, y) => x.AsSpan().SequenceCompareTo(y));

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(12)]
    [InlineData(15)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(24)]
    public void A_table_of_keys_of_one_length_does_what_a_sorted_dictionary_does(int length)
    {
        for (int seed = 0; seed < 10; seed++) Run(new Random(seed), length, capacity: 8, changes: 400);
    }

    // More sorted cells than a group has, so that searches go by samples.
    [Theory]
    [InlineData(8)]
    [InlineData(16)]
    [InlineData(17)]
    public void So_does_one_with_chunks_of_several_groups(int length) => Run(new Random(length), length, capacity: 4 * SortedPrefixes.GroupSize, changes: 5000);

    [Theory]
    [InlineData(8, 0)]
    [InlineData(9, 0)]
    [InlineData(16, 0)]
    [InlineData(17, 32)]
    public void Only_keys_of_more_than_two_words_take_slices(int length, int bytes)
    {
        using OrderedTable table = new(manager: null, new SliceHeapOptions(), length, capacity: null);
        long empty = table.Heap.Usage.Slices;
        for (byte i = 0; i < 10; i++) table.Put([.. new byte[length - 1], i], 1, replaces: false);
        Assert.Equal(empty + 10 * bytes, table.Heap.Usage.Slices);
    }

    private static void Run(Random random, int length, int capacity, int changes)
    {
        using OrderedTable table = new(manager: null, new SliceHeapOptions(), length, capacity);
        SortedDictionary<byte[], ulong> model = new(s_order);
        for (int i = 0; i < changes; i++)
        {
            byte[] key = Key(random, length);
            ulong word = (ulong)random.Next(1, 1000);
            switch (random.Next(changes > 1000 ? 40 : 8))
            {
                case 0 or 1 or 2 or 3:
                case >= 20:
                    Assert.Equal(model.GetValueOrDefault(key), table.Put(key, word, replaces: true));
                    model[key] = word;
                    break;
                case 4 or 5:
                    Assert.Equal(model.GetValueOrDefault(key), table.Remove(key));
                    model.Remove(key);
                    break;
                case 6:
                    CompareRanges(random, length, table, model);
                    break;
                default:
                    Assert.Equal(model.TryGetValue(key, out ulong expected), table.TryFind(key, out ulong found));
                    Assert.Equal(expected, found);
                    break;
            }
        }
        Assert.Equal(model.Count, table.Count);
    }

    private static void CompareRanges(Random random, int length, OrderedTable table, SortedDictionary<byte[], ulong> model)
    {
        KeyBound? from = Bound(random, length), to = Bound(random, length);
        string[] expected = [.. model.Where(pair =>
            (from is not { } low || s_order.Compare(pair.Key, low.Key) is var below && (below > 0 || below == 0 && low.IsIncluded)) &&
            (to is not { } high || s_order.Compare(pair.Key, high.Key) is var above && (above < 0 || above == 0 && high.IsIncluded)))
            .Select(static pair => Text(pair.Key, pair.Value))];
        Assert.Equal(expected, Scan(table, from, to, isDescending: false));
        Assert.Equal(expected.Reverse(), Scan(table, from, to, isDescending: true));
    }

    private static List<string> Scan(OrderedTable table, KeyBound? from, KeyBound? to, bool isDescending)
    {
        List<string> found = [];
        using OrderedCursor cursor = table.Scan(from, to, isDescending);
        while (cursor.MoveNext()) found.Add(Text(cursor.Key, cursor.Word));
        return found;
    }

    private static string Text(ReadOnlySpan<byte> key, ulong word) => $"{Convert.ToHexString(key)} {word}";

    private static KeyBound? Bound(Random random, int length)
    {
        if (random.Next(4) == 0) return null;
        // A bound may have any length, but for keys of a word: these are told apart as if zeros followed.
        return new KeyBound(Key(random, length > sizeof(ulong) ? random.Next(length + 4) : length), random.Next(2) == 0);
    }

    // Few different bytes, so that keys share their beginnings, and prefixes are the same; some keys have all but the last bytes in common.
    private static byte[] Key(Random random, int length)
    {
        byte[] key = new byte[length];
        for (int i = random.Next(2) * (length - Math.Min(2, length)); i < length; i++) key[i] = random.Next(3) switch { 0 => 0, 1 => 1, _ => 255 };
        return key;
    }
}
