using Smc.Collections;
using Smc.Collections.Tests;
using System.Buffers.Binary;
using Smc.Collections.Saving;
using Smc.Memory;
using Xunit;

namespace Smc.Saving.Tests;

/// <summary>A damaged file is refused: no crash, no wrong row, no memory for what is not there.</summary>
public sealed class DamageTests : IDisposable
{
    private readonly MemoryManager _manager = new(new MemoryManagerOptions { Limit = 64 << 20 });
    private readonly SavedFile _file = new();
    private readonly byte[] _good;

    public DamageTests()
    {
        using Collection<ColumnValues> values = new(new CollectionOptions { Manager = _manager });
        using Collection<Item> items = new(new CollectionOptions { Manager = _manager });
        Random random = new(3);
        Item last = default;
        for (int i = 0; i < 60; i++)
        {
            values.AddNew(row => Values.Fill(row, random));
            last = items.Add(key: i, text: i % 2 == 0 ? "a shared text" : "äöü", extra: i % 3 == 0 ? null : i, other: last);
        }

        Database.Save(_file.Path, values, items);
        _good = _file.Bytes;
    }

    public void Dispose()
    {
        _file.Dispose();
        _manager.Dispose();
    }

    [Fact]
    public void A_flipped_bit_anywhere_is_found()
    {
        Random random = new(4);
        for (int i = 0; i < 600; i++)
        {
            byte[] bad = [.. _good];
            // Every region in turn: the header, the schema, sections, the footer, the end.
            int from = i % 5 switch { 0 => 0, 1 => 64, 2 => 0, 3 => bad.Length - 2000, _ => bad.Length - 64 };
            int to = i % 5 switch { 0 => 64, 1 => 3000, _ => bad.Length };
            int at = random.Next(from, to);
            bad[at] ^= (byte)(1 << random.Next(8));
            Refused(bad, $"bit in byte {at}");
        }
    }

    [Fact]
    public void A_file_that_was_cut_off_is_found_from_its_path_and_from_a_stream()
    {
        Random random = new(5);
        for (int i = 0; i < 150; i++)
        {
            int length = i < 70 ? i * 2 : random.Next(_good.Length);
            Refused(_good[..length], $"cut to {length}");
        }
    }

    [Fact]
    public void Foreign_files_and_headers_are_refused()
    {
        Random random = new(6);
        for (int i = 0; i < 50; i++)
        {
            byte[] bad = new byte[random.Next(5000)];
            random.NextBytes(bad);
            if (i % 2 == 0)
                _good.AsSpan(0, Math.Min(bad.Length, random.Next(300))).CopyTo(bad);
            Refused(bad, $"foreign {i}");
        }

        Refused([.. _good, 0], "a byte more");
        Refused(FileSurgery.WithVersion(_good, major: 0, minor: 9), "older");
        Refused(FileSurgery.WithVersion(_good, major: 2, minor: 0), "newer");
        Refused(FileSurgery.WithSchema(_good, "\"rows\":60", "\"rows\":9000000000000000000"), "too many rows");
        Refused(FileSurgery.WithSchema(_good, "\"rows\":60", "\"rows\":-1"), "fewer than no rows");
        Refused(FileSurgery.WithSchema(_good, "\"rows\":60", "\"rows\":61"), "a row more");
        Refused(FileSurgery.WithSchema(_good, "\"rows\":60", "\"rows\":59"), "a row less");
        Refused(FileSurgery.WithSchema(_good, "\"kind\":\"Int32\"", "\"kind\":\"Int33\""), "a kind that is none");
        Refused(FileSurgery.WithSchema(_good, "\"collections\"", "\"collection\""), "another schema");
    }

    [Fact]
    public void Lengths_and_numbers_that_lie_are_found_though_the_checksums_fit()
    {
        Random random = new(7);
        int sections = FileSurgery.Sections(_good).Count;
        for (int i = 0; i < 200; i++)
        {
            byte[] bad = FileSurgery.WithSection(_good, random.Next(sections), (header, _) => random.Next(6) switch
            {
                0 => header with { Length = random.Next(2) == 0 ? long.MaxValue - random.Next(100) : header.Length + 64 },
                1 => header with { Rows = random.Next(2) == 0 ? -1 : int.MaxValue - random.Next(3) },
                2 => header with { FirstRow = long.MaxValue - random.Next(50) },
                3 => header with { Collection = random.Next(2, 1000) },
                4 => header with { Column = -random.Next(1, 1000) },
                _ => header with { Encoding = (SectionEncoding)random.Next(3, 1000) },
            });
            Refused(bad, $"lie {i}");
        }
    }

    [Fact]
    public void Values_that_a_type_does_not_have_are_found_though_the_checksums_fit()
    {
        List<int> sections = FileSurgery.Sections(_good);
        IReadOnlyList<SavedCollection> schema = SchemaJson.Read(_good.AsMemory(FileHeader.Bytes, FileHeader.Read(_good).SchemaBytes));
        int found = 0;
        for (int i = 0; i < sections.Count; i++)
        {
            SectionHeader header = SectionHeader.Read(_good.AsSpan(sections[i], SectionHeader.Bytes), out _);
            SavedColumn column = schema[header.Collection].Columns[header.Column];
            bool isChecked = header.Kind == SectionKind.Nulls
                || column.Kind is ValueKind.Boolean or ValueKind.Date or ValueKind.Time or ValueKind.DateTime or ValueKind.DateTimeOffset or ValueKind.Decimal or ValueKind.Units or ValueKind.Reference or ValueKind.Text or ValueKind.Binary;
            if (!isChecked)
                continue;
            byte[] bad = FileSurgery.WithSection(_good, i, (same, data) =>
            {
                if (column.IsText)
                    BinaryPrimitives.WriteInt32LittleEndian(data, int.MaxValue);
                else
                    data.AsSpan(Math.Max(0, data.Length - 16)).Fill(0x7F);
                return same;
            });
            // 60 rows leave 4 bits of the last byte unused.
            if (header.Kind == SectionKind.Nulls)
                bad = FileSurgery.WithSection(_good, i, static (same, data) => { data[^1] = 0x80; return same; });
            Assert.Contains($"{schema[header.Collection].Name}.{column.Name}, byte {sections[i]}", Refused(bad, column.Name), StringComparison.Ordinal);
            found++;
        }

        Assert.True(found > 20);
    }

    [Fact]
    public void A_text_that_is_no_text_is_found()
    {
        List<int> sections = FileSurgery.Sections(_good);
        int broken = 0;
        for (int i = 0; i < sections.Count; i++)
        {
            byte[] bad = FileSurgery.WithSection(_good, i, (same, data) =>
            {
                int at = data.AsSpan().IndexOf("äöü"u8);
                if (at >= 0 && same.Encoding != SectionEncoding.Fixed)
                    (data[at], broken) = (0xFF, broken + 1);
                return same;
            });
            if (!bad.AsSpan().SequenceEqual(_good))
                Assert.Contains("not UTF-8", Refused(bad, "text"), StringComparison.Ordinal);
        }

        Assert.True(broken > 0);
    }

    private string Refused(byte[] bad, string what)
    {
        _file.Bytes = bad;
        LoadOptions options = new() { Manager = _manager, DegreeOfParallelism = 2 };
        Exception? error = Record.Exception(() => Database.Load(_file.Path, options, RowType.Of<ColumnValues>(), RowType.Of<Item>()).Dispose());
        Assert.True(error is InvalidDataException, $"{what}: {error}");
        Assert.Contains(_file.Path, error.Message, StringComparison.Ordinal);
        Leftovers.AreNone(_manager);
        using ForwardStream stream = new(new MemoryStream(bad));
        Exception? streamed = Record.Exception(() => Database.Load(stream, options, RowType.Of<ColumnValues>(), RowType.Of<Item>()).Dispose());
        // Of a stream the end of which nobody knows, rows that are not there are noticed by the limit; and what comes after the end is somebody else's.
        if (what != "a byte more")
            Assert.True(streamed is InvalidDataException or OutOfMemoryException, $"{what}, streamed: {streamed}");
        Leftovers.AreNone(_manager);
        return error.Message;
    }
}
