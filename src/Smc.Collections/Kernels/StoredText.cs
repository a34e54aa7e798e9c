using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Unicode;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>What C# asks of a string, asked of a stored text: of one that is not long no string is made. Null raises what a string that is null raises.</summary>
/// <safety>Words are live, here and below.</safety>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class StoredText
{
    /// <summary>Longer texts become strings.</summary>
    private const int MostBytes = 512;

    /// <summary><c>text.Length</c>, in UTF-16 units.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static int Length(ulong text)
    {
        if (text == 0)
            return StringWord.Decode(text)!.Length;
        ReadOnlySpan<byte> bytes = StringWord.Bytes(ref text);
        // Half of a pair of surrogates is no UTF-8.
        return Ascii.IsValid(bytes) ? bytes.Length : Utf8.IsValid(bytes) ? Encoding.UTF8.GetCharCount(bytes) : StringWord.Decode(text)!.Length;
    }

    /// <summary><c>text[index]</c>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static char CharAt(ulong text, int index)
    {
        ReadOnlySpan<byte> bytes = StringWord.Bytes(ref text);
        return (uint)index < (uint)bytes.Length && Ascii.IsValid(bytes[..(index + 1)]) ? (char)bytes[index] : StringWord.Decode(text)![index];
    }

    /// <summary><c>string.IsNullOrEmpty(text)</c>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsNullOrEmpty(ulong text) => StringWord.ByteLength(text) == 0;

    /// <summary><c>string.IsNullOrWhiteSpace(text)</c>.</summary>
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static bool IsNullOrWhiteSpace(ulong text)
    {
        if (text == 0 || IsLong(text))
            return string.IsNullOrWhiteSpace(StringWord.Decode(text));
        Span<char> buffer = stackalloc char[MostBytes];
        return Decode(text, buffer).IsWhiteSpace();
    }

    /// <summary><c>text.StartsWith(value, comparison)</c>.</summary>
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static bool StartsWith(ulong text, string? value, StringComparison comparison = StringComparison.CurrentCulture)
    {
        if (text == 0 || value is null || IsLong(text))
            return StringWord.Decode(text)!.StartsWith(value!, comparison);
        if (comparison == StringComparison.OrdinalIgnoreCase)
        {
            ReadOnlySpan<byte> bytes = StringWord.Bytes(ref text);
            if (BeginDifferently(bytes, value))
                return false;
            if (Ascii.IsValid(value) && Ascii.IsValid(bytes))
                return bytes.Length >= value.Length && Ascii.EqualsIgnoreCase(bytes[..value.Length], value);
        }

        Span<char> buffer = stackalloc char[MostBytes];
        return Decode(text, buffer).StartsWith(value, comparison);
    }

    /// <summary><c>text.EndsWith(value, comparison)</c>.</summary>
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static bool EndsWith(ulong text, string? value, StringComparison comparison = StringComparison.CurrentCulture)
    {
        if (text == 0 || value is null || IsLong(text))
            return StringWord.Decode(text)!.EndsWith(value!, comparison);
        if (comparison == StringComparison.OrdinalIgnoreCase && Ascii.IsValid(value) && StringWord.Bytes(ref text) is var bytes && Ascii.IsValid(bytes))
            return bytes.Length >= value.Length && Ascii.EqualsIgnoreCase(bytes[^value.Length..], value);
        Span<char> buffer = stackalloc char[MostBytes];
        return Decode(text, buffer).EndsWith(value, comparison);
    }

    /// <summary><c>text.Contains(value, comparison)</c>.</summary>
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static bool Contains(ulong text, string? value, StringComparison comparison)
    {
        if (text == 0 || value is null || IsLong(text))
            return StringWord.Decode(text)!.Contains(value!, comparison);
        Span<char> buffer = stackalloc char[MostBytes];
        return Decode(text, buffer).Contains(value, comparison);
    }

    /// <summary><c>text.Equals(value, comparison)</c>.</summary>
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static bool Equals(ulong text, string? value, StringComparison comparison)
    {
        if (text == 0 || value is null || IsLong(text))
            return StringWord.Decode(text)!.Equals(value, comparison);
        if (comparison == StringComparison.OrdinalIgnoreCase)
        {
            ReadOnlySpan<byte> bytes = StringWord.Bytes(ref text);
            if (BeginDifferently(bytes, value))
                return false;
            if (Ascii.IsValid(value) && Ascii.IsValid(bytes))
                return Ascii.EqualsIgnoreCase(bytes, value);
        }

        Span<char> buffer = stackalloc char[MostBytes];
        return Decode(text, buffer).Equals(value, comparison);
    }

    /// <summary><c>string.Equals(text, value, comparison)</c>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static bool AreEqual(ulong text, string? value, StringComparison comparison) =>
        text == 0 || value is null ? string.Equals(StringWord.Decode(text), value, comparison) : Equals(text, value, comparison);

    /// <summary>Whether the first character of each is ASCII and they are not one letter: most texts that are not what is sought are told by that.</summary>
    private static bool BeginDifferently(ReadOnlySpan<byte> text, string value) =>
        text.Length > 0 && value.Length > 0 && Ascii.IsValid((char)text[0]) && Ascii.IsValid(value[0]) && ((text[0] ^ value[0]) & ~0x20) != 0;

    private static bool IsLong(ulong text) => StringWord.ByteLength(text) > MostBytes;

    private static ReadOnlySpan<char> Decode(ulong text, Span<char> buffer) => buffer[..StringWord.DecodeTo(text, buffer)];
}
