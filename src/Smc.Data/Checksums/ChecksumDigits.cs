using System.Globalization;
using Smc.Collections.Saving;

namespace Smc.Data.Checksums;

/// <summary>The digits of a checksum that stand among the bytes that it covers: it is that of the bytes with zeros for the digits.</summary>
internal static class ChecksumDigits
{
    /// <summary>So many digits, of base 16.</summary>
    public const int Count = 8;

    /// <summary>The digits before the bytes are complete.</summary>
    public const string Open = "00000000";

    /// <summary>Puts the checksum of bytes in the place of open digits.</summary>
    public static void Close(Span<byte> bytes, int place) => Crc32C.Of(bytes).TryFormat(bytes.Slice(place, Count), out _, "x8", CultureInfo.InvariantCulture);

    /// <summary>Whether bytes are those for which the digits were written. The digits are open afterwards.</summary>
    public static bool TryOpen(Span<byte> bytes, int place)
    {
        bool isNumber = TryRead(bytes, place, out uint checksum);
        if (isNumber)
            bytes.Slice(place, Count).Fill((byte)'0');
        return isNumber && Crc32C.Of(bytes) == checksum;
    }

    /// <summary>Reads a number of so many digits; false if they are none, or end behind the bytes.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, int place, out uint number)
    {
        number = 0;
        return place + Count <= bytes.Length && uint.TryParse(bytes.Slice(place, Count), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out number);
    }
}
