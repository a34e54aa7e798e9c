namespace Smc.Memory.Tests;

public sealed class StringInterningTests : IDisposable
{
    private const int MaxTexts = 64;
    private const string Text = "a text that rows share";

    private readonly TestTable _table = new(interns: true, maxInternedTexts: MaxTexts);

    private StringHeap Heap => _table.Context.Strings;

    [Fact]
    public void Equal_texts_of_a_column_are_one_chunk()
    {
        ulong first = _table.Add(1, Text);
        long bytes = Heap.LiveBytes;
        ulong second = _table.Add(2, Text);
        Assert.Equal(_table.WordOf(first), _table.WordOf(second));
        Assert.Equal(bytes, Heap.LiveBytes);
        Assert.Equal(bytes, Heap.InternedBytes);
        _table.Check();
    }

    [Fact]
    public void A_shared_text_stays_when_one_of_its_rows_goes()
    {
        ulong first = _table.Add(1, Text);
        ulong second = _table.Add(2, Text);
        Assert.True(_table.Context.Removal.TryRemove(first));
        TestTable.PassGrace();
        // Takes the slot and cleans it.
        for (int i = 0; i < 8; i++) _table.Add(3, "some other text");
        Assert.True(_table.TryRead(second, out _, out string? text));
        Assert.Equal(Text, text);
        _table.Check();
    }

    [Fact]
    public void A_shared_text_stays_when_one_of_its_rows_gets_another()
    {
        ulong first = _table.Add(1, Text);
        ulong second = _table.Add(2, Text);
        _table.SetText(first, "some other text");
        Assert.Equal(0, Heap.RetiredBytes);
        Assert.True(_table.TryRead(second, out _, out string? text));
        Assert.Equal(Text, text);
    }

    [Theory]
    [InlineData(8)]
    [InlineData(254)]
    public void Texts_of_the_limits_are_shared(int length)
    {
        string text = new('x', length);
        Assert.Equal(_table.WordOf(_table.Add(1, text)), _table.WordOf(_table.Add(2, text)));
    }

    [Theory]
    [InlineData(255)]
    [InlineData(300)]
    [InlineData(100_000)]
    public void Longer_texts_are_not(int length)
    {
        string text = new('x', length);
        Assert.NotEqual(_table.WordOf(_table.Add(1, text)), _table.WordOf(_table.Add(2, text)));
        Assert.Equal(0, Heap.InternedBytes);
    }

    [Fact]
    public void Texts_of_several_tables_sizes_are_all_found_again()
    {
        ulong[] words = [.. Enumerable.Range(0, MaxTexts).SelectMany(i => Twice(i))];
        Assert.Equal(MaxTexts, words.Distinct().Count());

        ulong[] Twice(int i) => [_table.WordOf(_table.Add(i, $"text number {i}")), _table.WordOf(_table.Add(i, $"text number {i}"))];
    }

    [Theory]
    [InlineData("a comment of a line with number {0}")]
    [InlineData("{0:d8} is the number of the line")]
    [InlineData("line {0:d6}, neither first nor last")]
    public void Texts_that_differ_in_a_number_only_spread_over_a_table(string form)
    {
        const int Texts = 4096, Slots = 2 * Texts;
        HashSet<ulong> used = [];
        for (int i = 0; i < Texts; i++)
        {
            string text = string.Format(System.Globalization.CultureInfo.InvariantCulture, form, i);
            used.Add((StringWord.Hash(System.Text.Encoding.UTF8.GetBytes(text)) >> 32) % Slots);
        }
        // As many as throwing them at random would hit, less a tenth.
        Assert.True(used.Count > 0.9 * Slots * (1 - Math.Exp(-0.5)), $"{used.Count} of {Slots} slots");
    }

    [Fact]
    public void A_full_column_goes_on_sharing_what_it_has()
    {
        ulong shared = _table.WordOf(_table.Add(0, Text));
        for (int i = 0; i < 2 * MaxTexts; i++)
        {
            _table.Add(i, $"text number {i}");
            _table.Add(i, Text);
        }
        long interned = Heap.InternedBytes;
        _table.Add(0, "a text that comes too late");
        Assert.Equal(interned, Heap.InternedBytes);
        Assert.Equal(shared, _table.WordOf(_table.Add(0, Text)));
        Assert.Equal(new TextForm(shared, IsExact: true), Find(Text));
        _table.Check();
    }

    [Fact]
    public void A_column_of_distinct_texts_stops_after_a_quarter()
    {
        for (int i = 0; i < MaxTexts; i++) _table.Add(i, $"text number {i}");
        long interned = Heap.InternedBytes;
        Assert.Equal(MaxTexts / 4 * 16, interned);
        _table.Add(0, "another text");
        Assert.Equal(interned, Heap.InternedBytes);
        Assert.False(Find("text number 0").IsExact);
        Assert.False(Heap.HasExactWords(_table.TextColumn));
    }

    [Fact]
    public void Words_of_a_column_that_stopped_stay_good()
    {
        ulong first = _table.Add(0, "text number 0");
        for (int i = 1; i < MaxTexts; i++) _table.Add(i, $"text number {i}");
        TestTable.PassGrace();
        // The table is gone, so the same text is a chunk of its own now.
        ulong again = _table.Add(0, "text number 0");
        Assert.NotEqual(_table.WordOf(first), _table.WordOf(again));
        Assert.True(StringWord.Equals(_table.WordOf(first), _table.WordOf(again)));
        Assert.True(_table.TryRead(first, out _, out string? text));
        Assert.Equal("text number 0", text);
        _table.Check();
    }

    [Fact]
    public void A_column_that_stops_goes_on_sharing_while_a_kernel_relies_on_it()
    {
        ulong word = _table.WordOf(_table.Add(0, "text number 0"));
        TextForm form = default;
        using ParkedReader kernel = new(
            before: () => form = Find("text number 0"),
            after: () => Assert.Equal(form.Word, _table.WordOf(_table.Add(0, "text number 0"))));
        Assert.Equal(new TextForm(word, IsExact: true), form);
        for (int i = 1; i < MaxTexts; i++) _table.Add(i, $"text number {i}");
        for (int i = 0; i < 4; i++) Epoch.TryAdvance();
        kernel.Release();
    }

    [Fact]
    public void A_text_that_no_row_holds_is_found_to_be_in_none()
    {
        _table.Add(1, Text);
        TextForm form = Find("a text that nobody stored");
        Assert.True(form.IsExact);
        Assert.NotEqual(form.Word, _table.WordOf(_table.Add(2, "a text that nobody stored")));
    }

    [Fact]
    public void A_text_that_came_too_late_has_to_be_compared()
    {
        for (int i = 0; i < MaxTexts; i++)
        {
            _table.Add(i, $"text number {i}");
            _table.Add(i, $"text number {i}");
        }
        _table.Add(0, "a text that comes too late");
        Assert.False(Find("a text that comes too late").IsExact);
        Assert.True(Find("text number 3").IsExact);
    }

    [Theory]
    [InlineData("")]
    [InlineData("seven c")]
    [InlineData(null)]
    public void Null_and_inline_texts_are_exact_in_every_column(string? text)
    {
        for (int i = 0; i < MaxTexts; i++) _table.Add(i, $"text number {i}");
        TextForm form = Find(text);
        Assert.True(form.IsExact);
        Assert.Equal(form.Word, _table.WordOf(_table.Add(1, text)));
    }

    [Fact]
    public void Clear_gives_shared_chunks_back()
    {
        for (int i = 0; i < 30; i++) _table.Add(i, $"text number {i % 10}");
        _table.Context.Clearing.Clear();
        Assert.Equal((0, 0, 0), (Heap.LiveBytes, Heap.RetiredBytes, Heap.MappedBytes));
        _table.Check();
    }

    [Fact]
    public void A_column_that_had_stopped_shares_again_after_Clear()
    {
        for (int i = 0; i < 2 * MaxTexts; i++) _table.Add(i, $"text number {i}");
        _table.Context.Clearing.Clear();
        Assert.Equal(_table.WordOf(_table.Add(1, Text)), _table.WordOf(_table.Add(2, Text)));
        Assert.True(Find(Text).IsExact);
    }

    [Fact]
    public void Clear_waits_for_the_readers_of_shared_chunks()
    {
        ulong handle = _table.Add(1, Text);
        ulong word = 0;
        using ParkedReader reader = new(before: () => word = _table.WordOf(handle), after: () => Assert.Equal(Text, StringWord.Decode(word)));
        _table.Context.Clearing.Clear();
        Assert.True(Heap.MappedBytes > 0);
        _table.Check();
        reader.Release();
        for (int i = 0; i < 12; i++) Epoch.TryAdvance();
        Assert.Equal(0, Heap.MappedBytes);
        _table.Check();
    }

    [Fact]
    public void A_row_written_while_the_collection_is_cleared_keeps_its_text()
    {
        _table.Add(1, Text);
        ulong late = 0;
        using ParkedReader writer = new(before: () => late = Heap.Store(Text, _table.TextColumn), after: () => late = _table.Add(2, Text));
        _table.Context.Clearing.Clear();
        writer.Release();
        for (int i = 0; i < 12; i++) Epoch.TryAdvance();
        Assert.True(_table.TryRead(late, out _, out string? text));
        Assert.Equal(Text, text);
        Assert.Equal(_table.WordOf(late), _table.WordOf(_table.Add(3, Text)));
        _table.Check();
    }

    [Fact]
    public void Clear_keeps_shared_chunks_of_a_collection_that_fills_again()
    {
        _table.Add(1, Text);
        using (ParkedReader reader = new())
        {
            _table.Context.Clearing.Clear();
            _table.Add(2, Text);
        }
        for (int i = 0; i < 12; i++) Epoch.TryAdvance();
        Assert.Equal([2L], _table.Scan());
        Assert.True(Find(Text).IsExact);
        _table.Check();
    }

    [Fact]
    public void Dispose_unmaps_shared_chunks_that_were_leaving()
    {
        _table.Add(1, Text);
        using (ParkedReader reader = new())
        {
            _table.Context.Clearing.Clear();
            _table.Context.Dispose();
        }
        for (int i = 0; i < 12; i++) Epoch.TryAdvance();
        Assert.Equal(0, _table.Manager.Usage.Strings);
        Diagnostics.Invariants.Check(_table.Manager);
    }

    [Fact]
    public void Several_writers_of_the_same_texts_share_them()
    {
        ulong[][] words = new ulong[4][];
        Thread[] writers = [.. Enumerable.Range(0, words.Length).Select(w => new Thread(() =>
            words[w] = [.. Enumerable.Range(0, MaxTexts * 20).Select(i => _table.WordOf(_table.Add(i, $"text number {i % (MaxTexts / 8)}")))]))];
        foreach (Thread writer in writers) writer.Start();
        foreach (Thread writer in writers) writer.Join();
        Assert.Equal(MaxTexts / 8, words.SelectMany(static w => w).Distinct().Count());
        _table.Check();
    }

    [Fact]
    public void A_refused_mapping_leaves_the_table_as_it_was()
    {
        _table.Add(1);
        _table.Manager.Budget.Fault = static _ => true;
        Assert.Throws<OffHeapMemoryException>(() => _table.Add(2, Text));
        _table.Manager.Budget.Fault = null;
        Assert.Equal(0, Heap.LiveBytes);
        Assert.Equal(_table.WordOf(_table.Add(1, Text)), _table.WordOf(_table.Add(2, Text)));
        _table.Check();
    }

    public void Dispose() => _table.Dispose();

    private TextForm Find(string? text)
    {
        Region region = new(_table.Manager);
        using CriticalSection section = CriticalSection.Enter();
        TextForm form = Heap.Find(text is null ? 0 : StringWord.EncodeInto(text, ref region), _table.TextColumn);
        region.Dispose();
        return form;
    }
}
