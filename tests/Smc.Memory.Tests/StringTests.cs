using Smc.Memory.Strings;

namespace Smc.Memory.Tests;

public sealed class StringTests : IDisposable
{
    private readonly TestTable _table = new();

    private StringHeap Heap => _table.Context.Strings;

    [Fact]
    public void Strings_of_every_length_come_back()
    {
        for (int length = 0; length <= 300; length++)
        {
            string text = string.Create(length, length, static (span, seed) =>
            {
                for (int i = 0; i < span.Length; i++) span[i] = (char)('!' + (seed * 31 + i * 7) % 90);
            });
            AssertComesBack(text);
        }
    }

    [Fact]
    public void Stored_texts_have_the_order_of_strings()
    {
        string[] units = ["", "\0", "a", "\u00E9", "\uD7FF", "\uD800", "\uD83D", "\uDBFF", "\uDC00", "\uDE00", "\uDFFF", "\uE000", "\uFFFF"];
        string?[] texts =
        [
            null, .. from first in units from second in units select first + second, .. from first in units from second in units from third in units select "\uD83D" + first + second + third,
            "a text that is longer", "a text that is longer\0", "a text that is longer\uD83D\uDE00", "a text that is longer\uD83D", "a text that is longer\uE000", "a text that is shorter",
        ];
        texts = [.. texts.Distinct()];
        Region region = new(_table.Manager);
        ulong[] words = new ulong[texts.Length];
        for (int i = 0; i < texts.Length; i++)
            words[i] = texts[i] is { } text ? StringWord.EncodeInto(text, ref region) : 0;
        List<string> wrong = [];
        for (int a = 0; a < texts.Length; a++)
        {
            for (int b = 0; b < texts.Length; b++)
            {
                if (Math.Sign(StringWord.CompareOrdinal(words[a], words[b])) != Math.Sign(string.CompareOrdinal(texts[a], texts[b])))
                    wrong.Add(Escaped(texts[a]) + " and " + Escaped(texts[b]));
            }
        }

        region.Dispose();
        Assert.Empty(wrong);

        static string Escaped(string? text) => text is null ? "null" : string.Concat(text.Select(c => $"{(int)c:X4} "));
    }

    [Theory]
    [InlineData("")]
    [InlineData("\0")]
    [InlineData("a\0b\0c\0d\0e")]
    [InlineData("é")]
    [InlineData("ééé")]
    [InlineData("éééé")]
    [InlineData("日本語の文字列")]
    [InlineData("😀")]
    [InlineData("😀😀")]
    [InlineData("\uD83D")]
    [InlineData("\uDE00")]
    [InlineData("\uDE00\uD83D")]
    [InlineData("a\uD83Db and much more text after it")]
    [InlineData("ends with a high surrogate \uD83D")]
    [InlineData("\uFFFD is not a surrogate")]
    [InlineData("\uD83D\uD83D\uDE00\uDE00")]
    public void Odd_content_comes_back(string text) => AssertComesBack(text);

    [Fact]
    public void Random_sequences_of_UTF16_come_back()
    {
        Random random = new(1);
        for (int i = 0; i < 2000; i++)
        {
            char[] text = new char[random.Next(60)];
            for (int c = 0; c < text.Length; c++) text[c] = random.Next(3) == 0 ? (char)random.Next(0xD800, 0xE000) : (char)random.Next(0x10000);
            AssertComesBack(new string(text));
        }
    }

    [Theory]
    [InlineData(600)]
    [InlineData(65_000)]
    [InlineData(65_532)]
    [InlineData(65_533)]
    [InlineData(200_000)]
    [InlineData(1_000_000)]
    public void Long_strings_come_back(int length)
    {
        AssertComesBack(new string('x', length));
        AssertComesBack(new string('é', length / 2) + "\uD800");
        _table.Check();
    }

    [Fact]
    public void Null_is_zero()
    {
        Assert.Equal(0UL, Heap.Store(null));
        Assert.Null(StringWord.Decode(0));
        Assert.NotEqual(0UL, Heap.Store(""));
    }

    [Theory]
    [InlineData("")]
    [InlineData("seven c")]
    [InlineData("ééé!")]
    public void Up_to_seven_bytes_are_stored_in_the_word(string text)
    {
        ulong word = Heap.Store(text);
        Assert.True(StringWord.IsInline(word));
        Assert.Equal(0, Heap.LiveBytes);
        Assert.Equal(word, Heap.Store(text));
    }

    [Fact]
    public void Equal_texts_are_equal_words_wherever_they_are()
    {
        Region region = new(_table.Manager);
        string[] texts = ["", "a", "seven c", "eight ch", "a longer text", "a longer texT", new string('y', 254), new string('y', 255), new string('y', 256), new string('y', 300), "\uD800 alone"];
        foreach (string a in texts)
        {
            foreach (string b in texts)
            {
                bool expected = string.Equals(a, b, StringComparison.Ordinal);
                ulong inRegion = StringWord.EncodeInto(b, ref region);
                Assert.Equal(expected, StringWord.Equals(Heap.Store(a), Heap.Store(b)));
                Assert.Equal(expected, StringWord.Equals(Heap.Store(a), inRegion));
            }
            Assert.False(StringWord.Equals(Heap.Store(a), 0));
        }
        Assert.True(StringWord.Equals(0, 0));
        region.Dispose();
    }

    [Fact]
    public void Most_texts_of_one_length_differ_in_their_words()
    {
        int collisions = 0;
        ulong first = Heap.Store("order comment number 000000");
        for (int i = 1; i < 1000; i++)
        {
            ulong word = Heap.Store($"order comment number {i:d6}");
            if (word >> 48 == first >> 48) collisions++;
        }
        Assert.InRange(collisions, 0, 20);
    }

    [Fact]
    public void A_freed_chunk_is_used_again()
    {
        ulong first = Heap.Store("a text of some length");
        Heap.Free(first);
        ulong second = Heap.Store("a text of same length");
        Assert.Equal(first & StringWord.AddressMask, second & StringWord.AddressMask);
        Assert.Equal("a text of same length", StringWord.Decode(second));
    }

    [Fact]
    public void Live_bytes_are_counted_exactly()
    {
        Random random = new(7);
        List<ulong> words = [];
        for (int i = 0; i < 3000; i++)
        {
            if (words.Count > 0 && random.Next(3) == 0)
            {
                int index = random.Next(words.Count);
                Heap.Free(words[index]);
                words.RemoveAt(index);
            }
            else
            {
                words.Add(Heap.Store(new string('z', random.Next(100) == 0 ? random.Next(100_000) : random.Next(400))));
            }
            if (i % 100 == 0) _table.Check();
        }
        foreach (ulong word in words) Heap.Free(word);
        Assert.Equal(0, Heap.LiveBytes);
        _table.Check();
    }

    [Fact]
    public void A_large_string_is_unmapped_when_it_is_freed()
    {
        long before = Heap.MappedBytes;
        ulong word = Heap.Store(new string('x', 500_000));
        Assert.True(Heap.MappedBytes >= before + 500_000);
        Heap.Free(word);
        Assert.Equal(before, Heap.MappedBytes);
    }

    [Fact]
    public void A_replaced_string_stays_until_its_reader_has_left()
    {
        ulong handle = _table.Add(1, "the old text of the row");
        ulong word = 0;
        using ParkedReader reader = new(
            before: () => word = WordOf(handle),
            after: () => Assert.Equal("the old text of the row", StringWord.Decode(word)));
        _table.SetText(handle, "the new text of the row");
        Assert.True(Heap.RetiredBytes > 0);
        for (int i = 0; i < 4; i++) Epoch.TryAdvance();
        for (int i = 0; i < 20; i++) Heap.Store("yet another text to fill");
        _table.Check();
        reader.Release();
        TestTable.PassGrace();
        Assert.Equal(0, Heap.RetiredBytes);
        _table.Check();
    }

    [Fact]
    public void Many_updates_do_not_pile_up()
    {
        ulong handle = _table.Add(1, "a text");
        for (int i = 0; i < 5000; i++)
        {
            _table.SetText(handle, $"text number {i} of the row");
            if (i % 50 == 0) TestTable.PassGrace();
        }
        TestTable.PassGrace();
        Assert.Equal(0, Heap.RetiredBytes);
        Assert.Equal(64 * 1024, Heap.MappedBytes);
        _table.Check();
    }

    [Fact]
    public void Bytes_come_back_as_they_were()
    {
        byte[] bytes = new byte[600];
        new Random(3).NextBytes(bytes);
        for (int length = 0; length <= bytes.Length; length++)
        {
            ulong word = Heap.StoreUtf8(bytes.AsSpan(0, length));
            Assert.Equal(length, StringWord.ByteLength(word));
            Assert.True(StringWord.Bytes(ref word).SequenceEqual(bytes.AsSpan(0, length)));
            if (length >= 8) Assert.Equal(BitConverter.ToUInt64(bytes), StringWord.Head(word));
        }
    }

    [Theory]
    [InlineData(8, 8)]
    [InlineData(9, 12)]
    [InlineData(27, 28)]
    [InlineData(254, 256)]
    [InlineData(255, 320)]
    [InlineData(1000, 1024)]
    public void A_text_takes_its_bytes_rounded_up(int length, long bytes)
    {
        ulong word = Heap.StoreUtf8(new byte[length]);
        Assert.Equal(bytes, Heap.LiveBytes);
        Heap.Free(word);
        Assert.Equal(0, Heap.LiveBytes);
        _table.Check();
    }

    [Fact]
    public void A_text_is_the_same_in_the_heap_in_a_region_and_at_a_place()
    {
        Region region = new(_table.Manager);
        ulong place = region.Allocate(4 + 3 * 600);
        for (int length = 0; length <= 600; length++)
        {
            string text = new('t', length);
            ulong stored = Heap.Store(text), copied = StringWord.CopyInto(stored, ref region), placed = StringWord.EncodeAt(text, place);
            foreach (ulong word in new[] { stored, copied, placed })
            {
                Assert.True(StringWord.Equals(stored, word));
                Assert.Equal(text, StringWord.Decode(word));
            }
        }
        region.Dispose();
    }

    [Fact]
    public void Every_size_has_the_smallest_class_that_holds_it()
    {
        for (int length = SizeClass.Smallest; !SizeClass.IsLarge(length); length++)
        {
            int sizeClass = SizeClass.Of(length), bytes = SizeClass.BytesOf(sizeClass);
            Assert.InRange(length + SizeClass.HeaderOf(length), SizeClass.BytesOf(sizeClass - 1) + 1, bytes);
            Assert.Equal(0, bytes % SizeClass.Alignment);
        }
    }

    public void Dispose() => _table.Dispose();

    private void AssertComesBack(string text)
    {
        ulong word = Heap.Store(text);
        Assert.Equal(text, StringWord.Decode(word));
        Region region = new(_table.Manager);
        Assert.Equal(text, StringWord.Decode(StringWord.EncodeInto(text, ref region)));
        region.Dispose();
    }

    private ulong WordOf(ulong handle)
    {
        Assert.True(Handle.TryLocate(handle, out RowLocation location));
        return _table.RawAt(location.Block, location.Slot).Text;
    }
}
