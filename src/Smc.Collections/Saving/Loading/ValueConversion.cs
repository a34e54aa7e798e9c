using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Smc.Collections.Saving;

/// <summary>Which values of an older type fit into a newer one, and how they get there.</summary>
internal static class ValueConversion
{
    private const string TooNarrow = "not every value would fit";

    /// <summary>Why values of a saved column do not fit into today's; null if they do.</summary>
    public static string? WhyNot(SavedColumn saved, SavedColumn today)
    {
        if (saved.IsNullable && !today.IsNullable)
            return "it may be null in the file";
        if (saved.Members is not null && today.Members is not null)
        {
            foreach ((string name, Int128 value) in saved.Members)
            {
                if (today.Members.TryGetValue(name, out Int128 now) && now != value)
                    return $"{name} was {value} and is {now}";
            }
        }

        if ((saved.Members is null) != (today.Members is null))
            return "one of both is an enum";
        if (saved.Kind != today.Kind)
            return IsWidening(saved.Kind, today.Kind) ? null : BitsOf(saved.Kind).Bits > 0 && BitsOf(today.Kind).Bits > 0 ? TooNarrow : "values of the one are not converted to the other";
        return saved.Kind switch
        {
            ValueKind.Units when saved.Scale != today.Scale => "a decimal keeps its number of digits after the point",
            ValueKind.Units when saved.Precision > today.Precision => TooNarrow,
            ValueKind.Struct when saved.Width != today.Width || !string.Equals(saved.Type, today.Type, StringComparison.Ordinal) => "it is another struct, or has another size",
            _ => null,
        };
    }

    /// <summary>Converts values to a wider type.</summary>
    public static void Widen(SavedColumn saved, ReadOnlySpan<byte> from, SavedColumn today, Span<byte> to)
    {
        int count = from.Length / saved.Width;
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> value = from.Slice(i * saved.Width, saved.Width);
            Span<byte> target = to.Slice(i * today.Width, today.Width);
            if (today.Kind == ValueKind.Double)
                BinaryPrimitives.WriteDoubleLittleEndian(target, saved.Kind == ValueKind.Half ? (double)BinaryPrimitives.ReadHalfLittleEndian(value) : BinaryPrimitives.ReadSingleLittleEndian(value));
            else if (today.Kind == ValueKind.Single)
                BinaryPrimitives.WriteSingleLittleEndian(target, (float)BinaryPrimitives.ReadHalfLittleEndian(value));
            else
                WriteInteger(ReadInteger(saved.Kind, value), target);
        }
    }

    /// <summary>Brings dates with an offset into the form that they have in memory.</summary>
    public static void ToOffsetDates(ReadOnlySpan<byte> from, Span<byte> to)
    {
        Span<DateTimeOffset> dates = MemoryMarshal.Cast<byte, DateTimeOffset>(to);
        for (int i = 0; i < dates.Length; i++)
        {
            long utc = BinaryPrimitives.ReadInt64LittleEndian(from[(16 * i)..]);
            TimeSpan offset = TimeSpan.FromMinutes((long)BinaryPrimitives.ReadInt32LittleEndian(from[((16 * i) + 8)..]));
            dates[i] = new DateTimeOffset(utc + offset.Ticks, offset);
        }
    }

    private static bool IsWidening(ValueKind from, ValueKind to) => (from, to) switch
    {
        (ValueKind.Half, ValueKind.Single or ValueKind.Double) or (ValueKind.Single, ValueKind.Double) => true,
        _ => BitsOf(from) is var (bits, isSigned) && BitsOf(to) is var (wider, canBeNegative) && bits > 0 && wider > bits && (canBeNegative || !isSigned),
    };

    private static (int Bits, bool IsSigned) BitsOf(ValueKind kind) => kind switch
    {
        ValueKind.SByte => (8, true),
        ValueKind.Byte => (8, false),
        ValueKind.Int16 => (16, true),
        ValueKind.UInt16 => (16, false),
        ValueKind.Int32 => (32, true),
        ValueKind.UInt32 => (32, false),
        ValueKind.Int64 => (64, true),
        ValueKind.UInt64 => (64, false),
        ValueKind.Int128 => (128, true),
        ValueKind.UInt128 => (128, false),
        _ => (0, false),
    };

    private static Int128 ReadInteger(ValueKind kind, ReadOnlySpan<byte> value) => (kind, value.Length) switch
    {
        (ValueKind.Byte, _) => value[0],
        (ValueKind.UInt16, _) => BinaryPrimitives.ReadUInt16LittleEndian(value),
        (ValueKind.UInt32, _) => BinaryPrimitives.ReadUInt32LittleEndian(value),
        (ValueKind.UInt64, _) => BinaryPrimitives.ReadUInt64LittleEndian(value),
        (_, 1) => (sbyte)value[0],
        (_, 2) => BinaryPrimitives.ReadInt16LittleEndian(value),
        (_, 4) => BinaryPrimitives.ReadInt32LittleEndian(value),
        (_, 8) => BinaryPrimitives.ReadInt64LittleEndian(value),
        _ => BinaryPrimitives.ReadInt128LittleEndian(value),
    };

    private static void WriteInteger(Int128 value, Span<byte> target)
    {
        Span<byte> whole = stackalloc byte[16];
        BinaryPrimitives.WriteInt128LittleEndian(whole, value);
        whole[..target.Length].CopyTo(target);
    }
}
