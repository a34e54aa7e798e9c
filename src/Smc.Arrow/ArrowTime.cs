namespace Smc.Arrow;

/// <summary>Arrow's forms of times and GUIDs.</summary>
internal static class ArrowTime
{
    public const int EpochDay = 719_162;

    /// <summary>Whole microseconds of ticks, rounded down.</summary>
    public static long Microseconds(long ticks) => (ticks - (((ticks % 10) + 10) % 10)) / 10;

    /// <summary>Ticks of a number of units, checked.</summary>
    public static long Ticks(long value, Apache.Arrow.Types.TimeUnit unit) => unit switch
    {
        Apache.Arrow.Types.TimeUnit.Second => checked(value * TimeSpan.TicksPerSecond),
        Apache.Arrow.Types.TimeUnit.Millisecond => checked(value * TimeSpan.TicksPerMillisecond),
        Apache.Arrow.Types.TimeUnit.Microsecond => checked(value * TimeSpan.TicksPerMicrosecond),
        _ => value / 100,
    };

    /// <summary>The GUID whose bytes in memory are those of the text, and back.</summary>
    public static Guid Reversed(Guid value)
    {
        Span<byte> bytes = stackalloc byte[16];
        value.TryWriteBytes(bytes, bigEndian: true, out _);
        return new Guid(bytes);
    }
}
