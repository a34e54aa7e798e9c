namespace Smc.Memory.Tests;

/// <summary>Texts that are stored many at a time: the same as one after the other.</summary>
public sealed class StringBatchTests
{
    private const int Seed = 23;
    private const int Batches = 60;
    private static readonly int s_column = TestTable.Columnar.Columns[2].Offset;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Texts_in_batches_take_what_they_take_one_by_one(bool interns)
    {
        using TestTable one = new(interns: true), many = new(interns: true);
        Random random = new(Seed);
        List<ulong> words = [], singly = [];
        using (CriticalSection section = CriticalSection.Enter())
        {
            for (int batch = 0; batch < Batches; batch++)
            {
                byte[]?[] texts = [.. Enumerable.Range(0, random.Next(StringHeap.BatchSize + 1)).Select(_ => TextOf(random))];
                ulong[] stored = [.. texts.Select(static text => text is null ? 0UL : (ulong)text.Length + 1)];
                many.Context.Strings.StoreBatch([.. texts.SelectMany(static text => text ?? [])], stored, interns ? s_column : -1);
                for (int i = 0; i < texts.Length; i++)
                {
                    Assert.Equal(texts[i] is null, StringWord.IsNull(stored[i]));
                    if (texts[i] is not { } text) continue;
                    ulong word = interns ? one.Context.Strings.StoreUtf8(text, s_column) : one.Context.Strings.StoreUtf8(text);
                    Assert.Equal(text, StringWord.Bytes(in stored[i]).ToArray());
                    Assert.True(StringWord.Equals(word, stored[i]));
                    Assert.Equal(StringWord.IsInterned(word), StringWord.IsInterned(stored[i]));
                    singly.Add(word);
                    words.Add(stored[i]);
                }
            }
        }

        // No two chunks overlap: every text is there still.
        Assert.All(words.Zip(singly), static pair => Assert.True(StringWord.Equals(pair.First, pair.Second)));
        Assert.Equal(one.Context.Strings.LiveBytes, many.Context.Strings.LiveBytes);
        Assert.Equal(one.Context.Strings.InternedBytes, many.Context.Strings.InternedBytes);
        foreach (ulong word in words) many.Context.Strings.Free(word);
        Assert.Equal(many.Context.Strings.InternedBytes, many.Context.Strings.LiveBytes);
        foreach (ulong word in singly) one.Context.Strings.Free(word);
    }

    [Fact]
    public void More_texts_than_a_batch_has_are_refused()
    {
        using TestTable table = new();
        Assert.Throws<ArgumentOutOfRangeException>(() => table.Context.Strings.StoreBatch([], new ulong[StringHeap.BatchSize + 1], -1));
    }

    // Null, in the word, shared, in a chunk of its own, with its length before it, in a mapping of its own.
    private static byte[]? TextOf(Random random) => random.Next(40) switch
    {
        0 => null,
        < 5 => Filled(random, random.Next(8)),
        < 15 => [.. "a text that rows share: "u8, (byte)('a' + random.Next(20))],
        < 35 => Filled(random, random.Next(8, 255)),
        < 39 => Filled(random, random.Next(255, 4000)),
        _ => Filled(random, random.Next(60_000, 70_000)),
    };

    private static byte[] Filled(Random random, int length)
    {
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) text[i] = (byte)random.Next('a', 'z' + 1);
        return text;
    }
}
