using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Enums that become others, or integers, in conditions: what is compared is the converted value.</summary>
public sealed class EnumConversionTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly Collection<Signal> _signals;
    private readonly Signal[] _rows;

    public EnumConversionTests()
    {
        _signals = new Collection<Signal>(new CollectionOptions { Manager = _manager });
        Wide[] wide = Enum.GetValues<Wide>();
        for (int i = 0; i < 60; i++)
            _signals.Add(wide: wide[i % wide.Length], narrow: (Narrow)(i * 5), maybe: i % 4 == 0 ? null : wide[i % wide.Length]);
        _rows = [.. _signals.AsEnumerable()];
    }

    public void Dispose() => _manager.Dispose();

    [Fact]
    public void A_smaller_enum_is_compared_and_not_what_it_was_made_of()
    {
        Narrow one = Narrow.One;
        Narrow? perhaps = Narrow.One;
        Assert.Equal(_rows.Count(s => (Narrow)s.Wide == Narrow.One), _signals.Count(s => (Narrow)s.Wide == Narrow.One));
        Assert.Equal(_rows.Count(s => (Narrow?)s.Wide == Narrow.One), _signals.Count(s => (Narrow?)s.Wide == Narrow.One));
        Assert.Equal(_rows.Count(s => (Narrow?)s.Wide == one), _signals.Count(s => (Narrow?)s.Wide == one));
        Assert.Equal(_rows.Count(s => (Narrow?)s.Wide == perhaps), _signals.Count(s => (Narrow?)s.Wide == perhaps));
        Assert.Equal(_rows.Count(s => (Narrow?)s.Maybe == perhaps), _signals.Count(s => (Narrow?)s.Maybe == perhaps));
        Assert.Equal(_rows.Count(s => (Narrow?)s.Wide == one || (Narrow?)s.Wide == Narrow.Five), _signals.Count(s => (Narrow?)s.Wide == one || (Narrow?)s.Wide == Narrow.Five));
        Assert.Equal(_rows.Count(s => (Wide?)s.Narrow == Wide.One), _signals.Count(s => (Wide?)s.Narrow == Wide.One));
        Assert.True(_rows.Count(s => (Narrow?)s.Wide == one) > _rows.Count(s => s.Wide == Wide.One));
    }

    [Fact]
    public void A_checked_conversion_to_a_smaller_enum_overflows()
    {
        Assert.Throws<OverflowException>(() => _rows.Count(s => checked((Narrow)s.Wide) == Narrow.One));
        Assert.Throws<OverflowException>(() => _signals.Count(s => checked((Narrow)s.Wide) == Narrow.One));
        Assert.Throws<OverflowException>(() => _signals.Count(s => checked((Narrow?)s.Wide) == Narrow.One));
        Assert.Throws<OverflowException>(() => _signals.Count(s => checked((byte)s.Wide) == 1));
        Assert.Throws<OverflowException>(() => _signals.Count(s => checked((Narrow)((int)s.Narrow * 3)) == Narrow.One));
        Assert.Equal(_rows.Count(s => unchecked((byte)s.Wide) == 1), checked(_signals.Count(s => unchecked((byte)s.Wide) == 1)));
        Assert.Equal(_rows.Count(s => checked((Wide)s.Narrow) == Wide.One), _signals.Count(s => checked((Wide)s.Narrow) == Wide.One));
    }

    [Fact]
    public void An_integer_that_no_value_has_equals_none()
    {
        int number = 300;
        Assert.Equal(0, _signals.Count(s => (int)s.Narrow == 300));
        Assert.Equal(0, _signals.Count(s => (int)s.Narrow == number));
        Assert.Equal(60, _signals.Count(s => (int)s.Narrow < 1000));
        Assert.Equal(60, _signals.Count(s => (int)s.Narrow > -1));
    }
}

public enum Wide
{
    One = 1,
    OneMore = 257,
    Five = 5,
    FiveMore = 261,
    Negative = -1,
}

public enum Narrow : byte
{
    None,
    One,
    Five = 5,
}

[Tabular]
public readonly partial struct Signal
{
    public partial Wide Wide { get; set; }

    public partial Narrow Narrow { get; set; }

    public partial Wide? Maybe { get; set; }
}
