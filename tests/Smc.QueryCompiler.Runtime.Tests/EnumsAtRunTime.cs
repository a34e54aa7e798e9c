using System.Linq.Expressions;
using Smc.Collections;
using Smc.Memory;
using Xunit;

namespace Smc.QueryCompiler.Runtime.Tests;

/// <summary>C# writes operators of enums as operators of integers into a tree. So do users, with integers that the enum has not.</summary>
public sealed class EnumsAtRunTime : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly Collection<Beacon> _beacons;
    private readonly Beacon[] _rows;
    private readonly RuntimeQueryProvider _provider = new(new RuntimeQueryOptions { WaitsForKernels = true, OnFallback = static fallback => throw new InvalidOperationException(fallback.Reason) });

    public EnumsAtRunTime()
    {
        _beacons = new Collection<Beacon>(new CollectionOptions { Manager = _manager });
        Hue[] hues = Enum.GetValues<Hue>();
        for (int i = 0; i < 60; i++)
            _beacons.Add(shade: (Shade)(i * 4), depth: (Depth)(sbyte)(i * 4), hue: hues[i % hues.Length], far: (Far)(((long)(i % 3) << 32) + 1), maybe: i % 4 == 0 ? null : hues[i % hues.Length]);
        _rows = [.. _beacons.AsEnumerable()];
    }

    public void Dispose() => _manager.Dispose();

    public static IEnumerable<TheoryDataRow<string>> Names() => Conditions().Keys.Select(static name => new TheoryDataRow<string>(name));

    [Theory]
    [MemberData(nameof(Names))]
    public void Comparisons_are_those_of_linq(string condition)
    {
        Expression<Func<Beacon, bool>> test = Conditions()[condition];
        Assert.Equal(_rows.Count(test.Compile()), TestProvider.With(_provider, () => _beacons.Count(test)));
    }

    private static Dictionary<string, Expression<Func<Beacon, bool>>> Conditions()
    {
        int large = 300;
        Shade shade = Shade.Dark;
        Shade? perhaps = Shade.Dark;
        Expression<Func<Beacon, bool>>[] all =
        [
            b => (int)b.Shade == 300,
            b => (int)b.Shade != 300,
            b => 300 == (int)b.Shade,
            b => (int)b.Shade == large,
            b => (int)b.Shade < 1000,
            b => (int)b.Shade > -1,
            b => (int)b.Shade == 44,
            b => (int)b.Depth == 255,
            b => (int)b.Depth > -1000,
            b => (int)b.Depth < 128,
            b => (int)b.Far == 1,
            b => (byte)b.Hue == 1,
            b => (long)b.Hue == 4294967297L,
            b => (uint)b.Hue == uint.MaxValue,
            b => (double)b.Hue > 0.5,
            b => (decimal)b.Shade > 0.5m,
            b => (int?)b.Maybe == 257,
            b => (long?)b.Maybe == 4294967297L,
            b => ((int)b.Shade & 300) == 300,
            b => ((int)b.Shade & 44) == 300,
            b => ((int)b.Shade & 44) == 44,
            b => ((int)b.Shade | 256) == 300,
            b => ((int)b.Shade ^ 44) == 0,
            b => (int)(b.Shade & Shade.Dark) == 300,
            b => (b.Shade & Shade.Dark) == Shade.Dark,
            b => (b.Shade | shade) == Shade.Dark,
            b => (b.Shade ^ Shade.Dark) == Shade.None,
            b => (Shade)((int)b.Shade & 300) == Shade.Dark,
            b => b.Shade >= shade,
            b => b.Shade == perhaps,
            b => b.Maybe == Hue.Blue,
            b => (Shade?)b.Hue == Shade.One,
            b => (Shade?)b.Hue == perhaps,
            b => (Shade?)b.Maybe == Shade.One,
            b => (Shade)b.Hue == (Shade)b.Shade,
            b => (int)b.Hue == (int)b.Shade,
            b => (int)b.Hue > (int)b.Depth,
        ];
        return all.ToDictionary(static condition => condition.ToString());
    }
}

internal enum Shade : byte
{
    None,
    One,
    Dark = 44,
}

internal enum Depth : sbyte
{
    None,
}

internal enum Hue
{
    Blue = 1,
    Azure = 257,
    Sky = 300,
    Negative = -1,
}

internal enum Far : long
{
    None,
}

[Tabular]
internal readonly partial struct Beacon
{
    public partial Shade Shade { get; set; }

    public partial Depth Depth { get; set; }

    public partial Hue Hue { get; set; }

    public partial Far Far { get; set; }

    public partial Hue? Maybe { get; set; }
}
