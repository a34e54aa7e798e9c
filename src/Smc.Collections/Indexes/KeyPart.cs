using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>A key column: how its value is read from a row and brought into a form in which keys are compared.</summary>
/// <param name="column">Where the values are.</param>
/// <param name="type">The property's type, without the <c>?</c> of a nullable value.</param>
/// <param name="kind">How values are compared.</param>
/// <param name="scale">Digits after the point of a <see cref="KeyKind.Units"/> column.</param>
internal sealed class KeyPart(ColumnLayout column, Type type, KeyKind kind, int scale)
{
    public string Name => column.Name;

    public int Stride => column.Stride;

    public int Offset => column.Offset;

    public int Width => column.Width;

    /// <summary>The bytes of a value in a key that is ordered (<see cref="KeyOrder"/>).</summary>
    public int OrderedWidth => kind == KeyKind.Reference ? sizeof(uint) : Width;

    public KeyKind Kind => kind;

    /// <summary>The property's type, without the <c>?</c> of a nullable value.</summary>
    public Type Type => type;

    /// <summary>Offset of the column's zone map in a block, or -1.</summary>
    public int ZoneMapOffset => column.ZoneMapOffset;

    /// <summary>Whether a row may have no value.</summary>
    public bool MayBeNull => column.NullBitmapOffset >= 0 || kind is KeyKind.Text or KeyKind.Reference;

    public int Scale => scale;

    /// <summary>Whether a single column of this kind can be told by its hash alone.</summary>
    public bool IsInteger { get; } = kind is KeyKind.Signed or KeyKind.Unsigned || (kind == KeyKind.Units && column.Width <= 8);

    /// <summary>Reads the value of a column of integers (<see cref="IsInteger"/>), as <see cref="TryRead"/> does.</summary>
    /// <inheritdoc cref="TryRead" path="/returns|/safety"/>
    public bool TryReadInteger(RowLocation location, out ulong value)
    {
        value = 0;
        if (column.NullBitmapOffset >= 0 && NullBitmap.IsSet(location.Block.Address + (ulong)column.NullBitmapOffset, (ulong)location.Slot))
            return false;
        ulong address = location.AddressOf(column.Offset, column.Stride);
        bool isSigned = kind is KeyKind.Signed or KeyKind.Units;
        value = Width switch
        {
            1 => isSigned ? (ulong)RowAccess.Read<sbyte>(address) : RowAccess.Read<byte>(address),
            2 => isSigned ? (ulong)RowAccess.Read<short>(address) : RowAccess.Read<ushort>(address),
            4 => isSigned ? (ulong)RowAccess.Read<int>(address) : RowAccess.Read<uint>(address),
            _ => RowAccess.Read<ulong>(address),
        };
        return true;
    }

    /// <summary>Reads the value of a row.</summary>
    /// <returns>False if it is null.</returns>
    /// <safety>The caller's critical section keeps the row's block.</safety>
    public bool TryRead(RowLocation location, out KeyWord word)
    {
        if (IsInteger)
        {
            bool isThere = TryReadInteger(location, out ulong integer);
            word = new KeyWord(integer, 0);
            return isThere;
        }

        word = default;
        if (column.NullBitmapOffset >= 0 && NullBitmap.IsSet(location.Block.Address + (ulong)column.NullBitmapOffset, (ulong)location.Slot))
            return false;
        ulong address = location.AddressOf(column.Offset, column.Stride);
        UInt128 stored = Width switch
        {
            1 => RowAccess.Read<byte>(address),
            2 => RowAccess.Read<ushort>(address),
            4 => RowAccess.Read<uint>(address),
            8 => RowAccess.Read<ulong>(address),
            _ => RowAccess.Read<UInt128>(address),
        };
        word = Normalise(stored);
        return !IsNull(word);
    }

    /// <summary>The 32 bits by which a handle is ordered.</summary>
    public static uint EntryOf(ulong handle) => (uint)Handle.EntryNumber(handle);

    /// <summary>Whether a stored value is null by itself, not by a bit beside it.</summary>
    public bool IsNull(KeyWord word) => kind switch
    {
        KeyKind.Text => StringWord.IsNull(word.Low),
        KeyKind.Reference => word.High == 0,
        _ => false,
    };

    /// <summary>The bits of a value, as many as the column is wide, in the form in which keys are compared.</summary>
    public KeyWord Normalise(UInt128 stored)
    {
        ulong low = (ulong)stored;
        switch (kind)
        {
            case KeyKind.Signed or KeyKind.Units when Width <= 8:
                int unused = 64 - (8 * Width);
                return new KeyWord((ulong)((long)(low << unused) >> unused), 0);
            case KeyKind.Reference:
                // The handle beside it tells keys apart that are ordered alike.
                return new KeyWord(EntryOf(low), low);
            case KeyKind.Ticks:
                return new KeyWord(low & 0x3FFF_FFFF_FFFF_FFFF, 0);
            case KeyKind.Decimal:
                decimal value = Unsafe.BitCast<UInt128, decimal>(stored);
                // Division by one with all its digits drops the zeros at the end.
                UInt128 canonical = value == 0 ? 0 : Unsafe.BitCast<decimal, UInt128>(value / 1.0000000000000000000000000000m);
                return new KeyWord((ulong)canonical, (ulong)(canonical >> 64));
            default:
                return new KeyWord(low, (ulong)(stored >> 64));
        }
    }

    /// <summary>Whether two values of the column that are not null are equal.</summary>
    /// <safety>Texts are live.</safety>
    public bool AreEqual(KeyWord a, KeyWord b) => kind == KeyKind.Text ? StringWord.Equals(a.Low, b.Low) : a == b;

    /// <summary>The value as an object, for a message.</summary>
    /// <safety>A text is live.</safety>
    public object? Box(KeyWord word)
    {
        UInt128 bits = new(word.High, word.Low);
        if (kind == KeyKind.Text)
            return StringWord.Decode(word.Low);
        if (kind == KeyKind.Units)
            return Width <= 8 ? ScaledDecimal.ToDecimal((long)word.Low, scale) : ScaledDecimal.ToDecimal((Int128)bits, scale);
        if (type.IsEnum)
            return Enum.ToObject(type, word.Low);
        return Type.GetTypeCode(type) switch
        {
            TypeCode.Boolean => word.Low != 0,
            TypeCode.Char => (char)word.Low,
            TypeCode.SByte => (sbyte)word.Low,
            TypeCode.Byte => (byte)word.Low,
            TypeCode.Int16 => (short)word.Low,
            TypeCode.UInt16 => (ushort)word.Low,
            TypeCode.Int32 => (int)word.Low,
            TypeCode.UInt32 => (uint)word.Low,
            TypeCode.Int64 => (long)word.Low,
            TypeCode.UInt64 => word.Low,
            TypeCode.DateTime => new DateTime((long)word.Low),
            TypeCode.Decimal => Unsafe.BitCast<UInt128, decimal>(bits),
            _ when type == typeof(Guid) => Unsafe.BitCast<UInt128, Guid>(bits),
            _ when type == typeof(DateOnly) => DateOnly.FromDayNumber((int)word.Low),
            _ when type == typeof(TimeOnly) => new TimeOnly((long)word.Low),
            _ when type == typeof(TimeSpan) => new TimeSpan((long)word.Low),
            _ when type == typeof(Int128) => (Int128)bits,
            _ => bits,
        };
    }
}
