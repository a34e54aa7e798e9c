using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Apache.Arrow;
using Apache.Arrow.Types;
using Smc.Collections.Kernels;

namespace Smc.Arrow;

/// <summary>Copies a column to Arrow's form.</summary>
internal abstract class ArrowColumnWriter(ColumnTraits traits, IArrowType type)
{
    public ColumnTraits Traits => traits;

    public IArrowType Type => type;

    /// <summary>The first values of the column's buffer.</summary>
    public abstract ArrayData Write(int count);
}

/// <summary>A column whose values have the same bytes in the buffer and in Arrow, and are never null.</summary>
/// <param name="traits">The column's name and the like.</param>
/// <param name="type">Arrow's type.</param>
/// <param name="values">The buffer's values.</param>
internal sealed class PlainColumnWriter<TRaw>(ColumnTraits traits, IArrowType type, TRaw[] values) : ArrowColumnWriter(traits, type)
    where TRaw : unmanaged
{
    public override ArrayData Write(int count) =>
        new(Type, count, 0, 0, [ArrowBuffer.Empty, new ArrowBuffer(MemoryMarshal.AsBytes(values.AsSpan(0, count)).ToArray())]);
}

/// <summary>A column of values that take the same bytes each.</summary>
/// <param name="traits">The column's name and the like.</param>
/// <param name="type">Arrow's type.</param>
/// <param name="isNull">Whether a value is null.</param>
/// <param name="encode">From a value's index to what lies in Arrow's buffer; not called for nulls.</param>
internal sealed class FixedColumnWriter<TRaw>(ColumnTraits traits, IArrowType type, Func<int, bool> isNull, Func<int, TRaw> encode) : ArrowColumnWriter(traits, type)
    where TRaw : unmanaged
{
    public override ArrayData Write(int count)
    {
        byte[] bytes = new byte[count * Unsafe.SizeOf<TRaw>()];
        Span<TRaw> values = MemoryMarshal.Cast<byte, TRaw>(bytes.AsSpan());
        Validity validity = new(count);
        for (int i = 0; i < count; i++)
        {
            if (isNull(i))
                validity.SetNull(i);
            else
                values[i] = encode(i);
        }

        return new ArrayData(Type, count, validity.NullCount, 0, [validity.ToBuffer(), new ArrowBuffer(bytes)]);
    }
}

/// <summary>A column of bits.</summary>
internal sealed class BooleanColumnWriter(ColumnTraits traits, Func<int, bool> isNull, Func<int, bool> encode) : ArrowColumnWriter(traits, BooleanType.Default)
{
    public override ArrayData Write(int count)
    {
        byte[] bits = new byte[(count + 7) / 8];
        Validity validity = new(count);
        for (int i = 0; i < count; i++)
        {
            if (isNull(i))
                validity.SetNull(i);
            else if (encode(i))
                bits[i >> 3] |= (byte)(1 << (i & 7));
        }

        return new ArrayData(Type, count, validity.NullCount, 0, [validity.ToBuffer(), new ArrowBuffer(bits)]);
    }
}

/// <summary>A column of texts or bytes.</summary>
/// <param name="traits">The column's name and the like.</param>
/// <param name="type">Arrow's type.</param>
/// <param name="isNull">Whether a value is null.</param>
/// <param name="encode">Appends a value.</param>
internal sealed class BytesColumnWriter(ColumnTraits traits, IArrowType type, Func<int, bool> isNull, Action<int, IBufferWriter<byte>> encode) : ArrowColumnWriter(traits, type)
{
    public override ArrayData Write(int count)
    {
        byte[] offsets = new byte[(count + 1) * sizeof(int)];
        Span<int> ends = MemoryMarshal.Cast<byte, int>(offsets.AsSpan());
        ArrayBufferWriter<byte> bytes = new();
        Validity validity = new(count);
        for (int i = 0; i < count; i++)
        {
            if (isNull(i))
                validity.SetNull(i);
            else
                encode(i, bytes);
            ends[i + 1] = bytes.WrittenCount;
        }

        return new ArrayData(Type, count, validity.NullCount, 0,
            [validity.ToBuffer(), new ArrowBuffer(offsets), new ArrowBuffer(bytes.WrittenSpan.ToArray())]);
    }
}

/// <summary>Which values of a column are there: Arrow's bitmap, 1 for a value.</summary>
internal sealed class Validity(int count)
{
    private byte[]? _bits;

    public int NullCount { get; private set; }

    public void SetNull(int index)
    {
        if (_bits is null)
        {
            _bits = new byte[(count + 7) / 8];
            System.Array.Fill(_bits, byte.MaxValue);
        }

        _bits[index >> 3] &= (byte)~(1 << (index & 7));
        NullCount++;
    }

    public ArrowBuffer ToBuffer() => _bits is null ? ArrowBuffer.Empty : new ArrowBuffer(_bits);
}
