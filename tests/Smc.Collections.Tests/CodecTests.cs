using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>The bytes of keys are in the order of the keys, and keys and values are read back as they were.</summary>
public sealed class CodecTests
{
    private enum Level : short
    {
        Low = -300,
        Middle = 0,
        High = 300,
    }

    [Fact]
    public void Integers_are_in_their_order()
    {
        Check<sbyte>(sbyte.MinValue, -1, 0, 1, sbyte.MaxValue);
        Check<byte>(0, 1, 127, 128, 255);
        Check<short>(short.MinValue, -256, -1, 0, 255, 256, short.MaxValue);
        Check<ushort>(0, 255, 256, ushort.MaxValue);
        Check(int.MinValue, -65536, -1, 0, 1, 65536, int.MaxValue);
        Check(0u, 1u << 31, uint.MaxValue);
        Check(long.MinValue, -(1L << 40), -1, 0, 1, 1L << 40, long.MaxValue);
        Check(0ul, 1ul << 63, ulong.MaxValue);
        Check(Int128.MinValue, -1, 0, (Int128)ulong.MaxValue + 1, Int128.MaxValue);
        Check(UInt128.Zero, UInt128.One << 100, UInt128.MaxValue);
        Check('\0', 'a', 'z', '\uFFFF');
        Check(false, true);
        Check(Level.Low, Level.Middle, Level.High);
    }

    [Fact]
    public void Floating_point_numbers_are_in_their_order()
    {
        Check(double.NaN, double.NegativeInfinity, double.MinValue, -1, -double.Epsilon, 0, double.Epsilon, 1, double.MaxValue, double.PositiveInfinity);
        Check(float.NaN, float.NegativeInfinity, float.MinValue, -1, -float.Epsilon, 0, float.Epsilon, 1, float.MaxValue, float.PositiveInfinity);
        Check(Half.NaN, Half.NegativeInfinity, Half.MinValue, (Half)(-1), Half.Zero, Half.Epsilon, (Half)1, Half.MaxValue, Half.PositiveInfinity);
    }

    [Fact]
    public void Both_zeros_are_one_key()
    {
        Assert.Equal(Encode(KeyCodec.For<double>(), 0.0), Encode(KeyCodec.For<double>(), -0.0));
        Assert.Equal(Encode(KeyCodec.For<float>(), 0f), Encode(KeyCodec.For<float>(), -0f));
    }

    [Fact]
    public void Decimals_are_in_their_order() => Check(
        decimal.MinValue, -79228162514264337593543950334m, -1.5m, -1m, -0.0000000000000000000000000001m, 0m, 0.0000000000000000000000000001m,
        0.3333333333333333333333333333m, 1m, 1.5m, 7.9228162514264337593543950335m, 10m, decimal.MaxValue);

    [Fact]
    public void Decimals_that_are_equal_are_one_key() => Assert.Equal(Encode(KeyCodec.For<decimal>(), 1.0m), Encode(KeyCodec.For<decimal>(), 1.00m));

    [Fact]
    public void Dates_and_times_are_in_their_order()
    {
        Check(DateTime.MinValue, new DateTime(1999, 12, 31), new DateTime(2000, 1, 1), DateTime.MaxValue);
        Check(DateOnly.MinValue, new DateOnly(2000, 1, 1), DateOnly.MaxValue);
        Check(TimeOnly.MinValue, new TimeOnly(12, 0), TimeOnly.MaxValue);
        Check(TimeSpan.MinValue, TimeSpan.FromSeconds(-1), TimeSpan.Zero, TimeSpan.MaxValue);
        Check(DateTimeOffset.MinValue, new DateTimeOffset(2000, 1, 1, 1, 0, 0, TimeSpan.FromHours(2)), DateTimeOffset.MaxValue);
    }

    [Fact]
    public void Guids_are_in_their_order()
    {
        Random random = new(1);
        Guid[] guids = [.. Enumerable.Range(0, 100).Select(_ => Next()).Order()];
        Check(guids);

        Guid Next()
        {
            byte[] bytes = new byte[16];
            random.NextBytes(bytes);
            return new Guid(bytes);
        }
    }

    [Fact]
    public void Texts_are_in_ordinal_order() => CheckBy(
        StringComparer.Ordinal, KeyCodec.For<string>(), "", "\0", "\0a", "A", "Z", "a", "a\0", "aa", "z", "\u007F", "\u0080", "é", "\u07FF", "\u0800", "漢", "\uD7FF",
        "\uD800", "\uD83D\uDE00", "\uDC00", "\uE000", "\uFFFF");

    [Fact]
    public void Any_texts_are_in_ordinal_order_and_come_back()
    {
        IKeyCodec<string> codec = KeyCodec.For<string>();
        IValueCodec<string> values = ValueCodec.For<string>();
        // Few different characters, so that texts share prefixes; lone surrogates among them.
        Gen<string> text = Gen.Elements('\0', 'a', 'b', 'é', '漢', '\uD83D', '\uDE00', '\uFFFF').ArrayOf().Select(static units => new string(units));
        Prop.ForAll(Gen.Zip(text, text).ToArbitrary(), pair =>
        {
            (string x, string y) = pair;
            return Math.Sign(Encode(codec, x).AsSpan().SequenceCompareTo(Encode(codec, y))) == Math.Sign(string.CompareOrdinal(x, y))
                && codec.Decode(Encode(codec, x)) == x && values.Decode(Encode(values, x)) == x;
        }).Check(Config.QuickThrowOnFailure.WithReplay(1, 1));
    }

    [Fact]
    public void Tuples_are_ordered_by_their_parts()
    {
        Check((-1, -1L), (-1, 0L), (0, long.MinValue), (0, long.MaxValue), (1, -5L));
        Check((1, (byte)2, 'a'), (1, (byte)2, 'b'), (1, (byte)3, 'a'), (2, (byte)0, 'a'));
        IComparer<(string?, int)> byText = Comparer<(string?, int)>.Create(static (x, y) =>
            string.CompareOrdinal(x.Item1, y.Item1) is not 0 and int text ? text : x.Item2.CompareTo(y.Item2));
        CheckBy(byText, KeyCodec.For<(string?, int)>(), (null, 1), ("", int.MinValue), ("", 1), ("\0", 0), ("\0\0", 0), ("\0a", 0), ("a", int.MinValue), ("a", 1), ("a\0", 0), ("ab", -1));
    }

    [Fact]
    public void Null_comes_first() => Check<int?>(null, int.MinValue, 0, int.MaxValue);

    [Fact]
    public void A_key_type_is_ordered_by_a_part()
    {
        IKeyCodec<Version> codec = KeyCodec.By<Version, (int, int)>(static version => (version.Major, version.Minor), static part => new Version(part.Item1, part.Item2));
        CheckBy(Comparer<Version>.Default, codec, new Version(0, 9), new Version(1, 0), new Version(1, 10), new Version(10, 1));
    }

    [Fact]
    public void Values_come_back()
    {
        Assert.Equal((1, 2.5, 'x'), RoundTrip((1, 2.5, 'x')));
        Assert.Equal(1.50m, RoundTrip(1.50m));
        Assert.Equal("漢字", RoundTrip("漢字"));
        Assert.Equal("é\0", RoundTrip("é\0"));
        Assert.Equal(new byte[] { 1, 2, 3 }, RoundTrip(new byte[] { 1, 2, 3 }));
        Assert.Equal(DateTimeKind.Utc, RoundTrip(DateTime.UnixEpoch).Kind);

        static T RoundTrip<T>(T value)
        {
            IValueCodec<T> codec = ValueCodec.For<T>();
            return codec.Decode(Encode(codec, value));
        }
    }

    [Fact]
    public void Types_without_a_codec_are_named()
    {
        Assert.Contains("System.Object", Assert.Throws<NotSupportedException>(KeyCodec.For<object>).Message, StringComparison.Ordinal);
        Assert.Contains("System.Object", Assert.Throws<NotSupportedException>(KeyCodec.For<(int, object)>).Message, StringComparison.Ordinal);
        Assert.Contains("System.Object", Assert.Throws<NotSupportedException>(ValueCodec.For<object>).Message, StringComparison.Ordinal);
    }

    private static void Check<T>(params T[] ascending) => CheckBy(Comparer<T>.Default, KeyCodec.For<T>(), ascending);

    private static void CheckBy<T>(IComparer<T> comparer, IKeyCodec<T> codec, params T[] ascending)
    {
        foreach (T x in ascending)
        {
            byte[] bytes = Encode(codec, x);
            Assert.True(codec.FixedLength is not { } length || bytes.Length == length);
            Assert.Equal(0, comparer.Compare(codec.Decode(bytes), x));
            foreach (T y in ascending) Assert.Equal(Math.Sign(comparer.Compare(x, y)), Math.Sign(bytes.AsSpan().SequenceCompareTo(Encode(codec, y))));
        }
    }

    private static byte[] Encode<T>(IValueCodec<T> codec, T value)
    {
        byte[] bytes = new byte[codec.GetMaxLength(value)];
        return bytes[..codec.Encode(value, bytes)];
    }
}
