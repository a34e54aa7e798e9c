using Smc.Collections;
using Smc.Collections.Tests;
using System.Buffers.Binary;
using Smc.Collections.Saving;

namespace Smc.Saving.Tests;

/// <summary>Changes files so that their checksums fit the change.</summary>
internal static class FileSurgery
{
    public static byte[] WithVersion(byte[] file, int major, int minor)
    {
        byte[] changed = [.. file];
        (FileHeader.Read(file) with { Major = major, Minor = minor }).Write(changed);
        return changed;
    }

    /// <summary>Puts a section of a kind that no version knows before the first one.</summary>
    public static byte[] WithUnknownSection(byte[] file, int minor)
    {
        int first = FirstSection(file);
        byte[] added = new byte[SectionHeader.Bytes + 64];
        added.AsSpan(SectionHeader.Bytes, 10).Fill(42);
        new SectionHeader((SectionKind)77, SectionEncoding.Fixed, 0, 0, 0, 5, 10, Crc32C.Of(added.AsSpan(SectionHeader.Bytes, 10))).Write(added);
        return WithVersion(Sealed([.. file.AsSpan(0, first), .. added, .. file.AsSpan(first)]), FileHeader.CurrentMajor, minor);
    }

    /// <summary>Changes a section and writes all checksums anew.</summary>
    /// <param name="file">The file.</param>
    /// <param name="number">Which section.</param>
    /// <param name="change">Gets the header and the data, and gives the header.</param>
    public static byte[] WithSection(byte[] file, int number, Func<SectionHeader, byte[], SectionHeader> change)
    {
        byte[] changed = [.. file];
        int at = Sections(file)[number];
        SectionHeader header = SectionHeader.Read(file.AsSpan(at, SectionHeader.Bytes), out _);
        byte[] data = file.AsSpan(at + SectionHeader.Bytes, (int)header.Length).ToArray();
        header = change(header, data);
        data.CopyTo(changed, at + SectionHeader.Bytes);
        (header with { DataCrc = Crc32C.Of(data.AsSpan(0, (int)Math.Clamp(header.Length, 0, data.Length))) }).Write(changed.AsSpan(at));
        return Sealed(changed);
    }

    /// <summary>Changes the schema's text, which keeps its length, and writes its checksum anew.</summary>
    public static byte[] WithSchema(byte[] file, string from, string to)
    {
        FileHeader header = FileHeader.Read(file);
        string schema = System.Text.Encoding.UTF8.GetString(file, FileHeader.Bytes, header.SchemaBytes).Replace(from, to, StringComparison.Ordinal);
        byte[] bytes = System.Text.Encoding.UTF8.GetBytes(schema);
        byte[] begin = new byte[FileHeader.Bytes + FileHeader.Padded(bytes.Length)];
        (header with { SchemaBytes = bytes.Length, SchemaCrc = Crc32C.Of(bytes) }).Write(begin);
        bytes.CopyTo(begin, FileHeader.Bytes);
        return Sealed([.. begin, .. file.AsSpan(FirstSection(file))]);
    }

    /// <summary>Where the sections begin, without the footer.</summary>
    public static List<int> Sections(byte[] file)
    {
        List<int> places = [];
        for (int at = FirstSection(file); ;)
        {
            SectionHeader header = SectionHeader.Read(file.AsSpan(at, SectionHeader.Bytes), out _);
            if (header.Kind == SectionKind.Footer)
                return places;
            places.Add(at);
            at += SectionHeader.Bytes + FileHeader.Padded((int)header.Length);
        }
    }

    private static int FirstSection(byte[] file) => FileHeader.Bytes + FileHeader.Padded(FileHeader.Read(file).SchemaBytes);

    // The footer that fits the sections as their headers are now.
    private static byte[] Sealed(byte[] file)
    {
        List<SectionPlace> places = [];
        int at = FirstSection(file);
        while (BinaryPrimitives.ReadUInt16LittleEndian(file.AsSpan(at + 4)) != (int)SectionKind.Footer)
        {
            int length = (int)Math.Clamp(BinaryPrimitives.ReadInt64LittleEndian(file.AsSpan(at + 32)), 0, file.Length - at - SectionHeader.Bytes);
            places.Add(new SectionPlace(at, BinaryPrimitives.ReadUInt32LittleEndian(file.AsSpan(at + 60)), BinaryPrimitives.ReadUInt32LittleEndian(file.AsSpan(at + 40))));
            at += SectionHeader.Bytes + FileHeader.Padded(length);
            if (at + SectionHeader.Bytes > file.Length)
                return file;
        }

        long rows = FileFooter.ReadTail(file.AsSpan(file.Length - FileFooter.TailBytes)).Rows;
        byte[] data = new byte[FileHeader.Padded(places.Count * FileFooter.PlaceBytes)];
        FileFooter.Write(data, places);
        uint crc = Crc32C.Of(data.AsSpan(0, places.Count * FileFooter.PlaceBytes));
        byte[] header = new byte[SectionHeader.Bytes];
        new SectionHeader(SectionKind.Footer, SectionEncoding.Fixed, 0, 0, 0, places.Count, places.Count * FileFooter.PlaceBytes, crc).Write(header);
        byte[] tail = new byte[FileFooter.TailBytes];
        new FileFooter(places.Count, rows, at, crc).WriteTail(tail);
        return [.. file.AsSpan(0, at), .. header, .. data, .. tail];
    }
}
