using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Smc.Collections.Kernels;

namespace Smc.Collections.Saving;

/// <summary>Refuses values that the type of a column cannot have, whatever the checksum says.</summary>
internal static class ValueChecks
{
    private const int DecimalFlags = unchecked((int)0x80FF0000);

    /// <summary>Checks the values of a section.</summary>
    /// <exception cref="FormatException">There is such a value.</exception>
    public static void Check(SavedColumn column, ReadOnlySpan<byte> data)
    {
        bool isGood = column.Kind switch
        {
            ValueKind.Boolean => data.IndexOfAnyExcept((byte)0, (byte)1) < 0,
            ValueKind.Date => !MemoryMarshal.Cast<byte, uint>(data).ContainsAnyExceptInRange(0u, (uint)DateOnly.MaxValue.DayNumber),
            ValueKind.Time => !MemoryMarshal.Cast<byte, long>(data).ContainsAnyExceptInRange(0, TimeOnly.MaxValue.Ticks),
            ValueKind.DateTime => AreDates(MemoryMarshal.Cast<byte, ulong>(data)),
            ValueKind.DateTimeOffset => AreOffsetDates(data),
            ValueKind.Decimal => AreDecimals(data),
            ValueKind.Units => AreUnits(column, data),
            _ => true,
        };
        if (!isGood)
            throw new FormatException($"There is a value that no {column.Kind} has.");
    }

    private static bool AreDates(ReadOnlySpan<ulong> values)
    {
        foreach (ulong value in values)
        {
            if ((value & 0x3FFF_FFFF_FFFF_FFFF) > (ulong)DateTime.MaxValue.Ticks)
                return false;
        }

        return true;
    }

    private static bool AreOffsetDates(ReadOnlySpan<byte> data)
    {
        for (; !data.IsEmpty; data = data[16..])
        {
            long utc = BinaryPrimitives.ReadInt64LittleEndian(data);
            int minutes = BinaryPrimitives.ReadInt32LittleEndian(data[8..]);
            long local = utc + (minutes * TimeSpan.TicksPerMinute);
            if (utc < 0 || utc > DateTime.MaxValue.Ticks || minutes is < -14 * 60 or > 14 * 60 || local < 0 || local > DateTime.MaxValue.Ticks
                || BinaryPrimitives.ReadInt32LittleEndian(data[12..]) != 0)
            {
                return false;
            }
        }

        return true;
    }

    private static bool AreDecimals(ReadOnlySpan<byte> data)
    {
        for (; !data.IsEmpty; data = data[16..])
        {
            int flags = BinaryPrimitives.ReadInt32LittleEndian(data);
            if ((flags & ~DecimalFlags) != 0 || (flags >> 16 & 0xFF) > 28)
                return false;
        }

        return true;
    }

    private static bool AreUnits(SavedColumn column, ReadOnlySpan<byte> data)
    {
        Int128 limit = ScaledDecimal.PowerOfTen(column.Precision) - 1;
        switch (column.Width)
        {
            case 4:
                return !MemoryMarshal.Cast<byte, int>(data).ContainsAnyExceptInRange(-(int)limit, (int)limit);
            case 8:
                return !MemoryMarshal.Cast<byte, long>(data).ContainsAnyExceptInRange(-(long)limit, (long)limit);
            default:
                for (; !data.IsEmpty; data = data[16..])
                {
                    Int128 value = BinaryPrimitives.ReadInt128LittleEndian(data);
                    if (value < -limit || value > limit)
                        return false;
                }

                return true;
        }
    }
}
