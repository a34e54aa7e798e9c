using Smc.Collections;
using Smc.Collections.Tests;
namespace Smc.Saving.Tests;

/// <summary>Random values for a row with a column of every type.</summary>
internal static class Values
{
    public static void Fill(IValues row, Random random)
    {
        byte[] bytes = new byte[16];
        random.NextBytes(bytes);
        long number = random.NextInt64(long.MinValue, long.MaxValue);
        bool isNull = random.Next(3) == 0;
        row.Bool = random.Next(2) == 0;
        row.Char = (char)number;
        row.SByte = (sbyte)number;
        row.Byte = (byte)number;
        row.Int16 = (short)number;
        row.UInt16 = (ushort)number;
        row.Int32 = (int)number;
        row.UInt32 = (uint)number;
        row.Int64 = number;
        row.UInt64 = (ulong)number;
        row.Int128 = new Int128((ulong)number, (ulong)random.NextInt64());
        row.UInt128 = new UInt128((ulong)number, (ulong)random.NextInt64());
        row.Half = (Half)random.NextSingle();
        row.Single = random.NextSingle();
        row.Double = random.NextDouble();
        row.Decimal = new decimal((int)number, random.Next(), random.Next(), random.Next(2) == 0, (byte)random.Next(29));
        row.Decimal9 = random.Next(-99999, 99999) + 0.1234m;
        row.Decimal18 = number / 1000 / 100m;
        row.Decimal28 = number / 100m;
        row.Rounded = random.Next() / 3m;
        row.DateOnly = DateOnly.FromDayNumber(random.Next(DateOnly.MaxValue.DayNumber + 1));
        row.TimeOnly = new TimeOnly(random.NextInt64(TimeOnly.MaxValue.Ticks + 1));
        row.DateTime = new DateTime(random.NextInt64(DateTime.MaxValue.Ticks), (DateTimeKind)random.Next(2));
        row.DateTimeOffset = new DateTimeOffset(random.NextInt64(TimeSpan.TicksPerDay, DateTime.MaxValue.Ticks - TimeSpan.TicksPerDay), TimeSpan.FromMinutes(random.Next(-840, 841)));
        row.TimeSpan = new TimeSpan(number);
        row.Guid = new Guid(bytes);
        row.Colour = (Colour)(byte)number;
        row.Huge = (Huge)(ulong)number;
        row.Point = new Point { X = (short)number, Y = random.NextDouble() };
        row.Text = random.Next(4) switch { 0 => "", 1 => "few", 2 => $"a shared text {random.Next(5)}", _ => $"a text of its own {number}" };
        row.OptionalText = isNull ? null : $"optional {number}";
        row.Bytes = bytes.AsMemory(0, random.Next(17));
        row.OptionalBytes = isNull ? null : bytes;
        row.OptionalBool = isNull ? null : random.Next(2) == 0;
        row.OptionalInt32 = isNull ? null : (int)number;
        row.OptionalUInt64 = isNull ? null : (ulong)number;
        row.OptionalDouble = isNull ? null : random.NextDouble();
        row.OptionalDecimal = isNull ? null : random.Next() / 100m;
        row.OptionalGuid = isNull ? null : new Guid(bytes);
        row.OptionalDate = isNull ? null : DateOnly.FromDayNumber(random.Next(100_000));
        row.OptionalColour = isNull ? null : Colour.Green;
    }
}
