using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

[Tabular]
public readonly partial struct Planet
{
    public partial int Number { get; set; }
}

[Tabular]
public readonly partial struct Moon
{
    public partial int Number { get; set; }

    public partial Planet? Planet { get; set; }
}

/// <summary>The 16 bits that tell the row that a reference leads to.</summary>
public sealed class ReferenceCodesTests
{
    private static readonly CollectionOptions s_smallBlocks = new() { BlockCapacity = 192, CompactionOccupancy = 0 };

    [Fact]
    public void Codes_tell_the_rows_that_references_lead_to()
    {
        using Collection<Planet> planets = Planets(300);
        using Collection<Moon> moons = new(s_smallBlocks);
        Random random = new(1);
        Planet[] all = [.. planets];
        for (int i = 0; i < 1000; i++)
            moons.Add(number: i, planet: all[random.Next(all.Length)]);

        Assert.Equal(0, CheckIds(moons));
    }

    [Fact]
    public void The_first_block_has_no_scale_so_that_its_references_are_read_themselves()
    {
        using Collection<Planet> planets = Planets(10);
        using Collection<Moon> moons = new(s_smallBlocks);
        foreach (Planet planet in planets)
            moons.Add(number: 1, planet: planet);
        using CriticalSection section = CriticalSection.Enter();

        Assert.Equal(0UL, References(moons, block: 0).Codes);
    }

    [Fact]
    public void Null_and_references_that_were_written_again_have_no_code()
    {
        using Collection<Planet> planets = Planets(300);
        using Collection<Moon> moons = new(s_smallBlocks);
        Random random = new(2);
        Planet[] all = [.. planets];
        Moon[] added = new Moon[1000];
        for (int i = 0; i < added.Length; i++)
            added[i] = moons.Add(number: i, planet: i % 10 == 0 ? null : all[random.Next(all.Length)]);
        for (int i = 3; i < added.Length; i += 10)
            added[i].Planet = all[random.Next(all.Length)];

        // A fifth of the rows behind the first block.
        Assert.InRange(CheckIds(moons), 160, 164);
    }

    [Fact]
    public void References_to_another_tenant_of_an_entry_tell_the_same_row()
    {
        using Collection<Planet> planets = Planets(300);
        using Collection<Moon> moons = new(s_smallBlocks);
        Planet[] all = [.. planets];
        for (int i = 0; i < 192; i++)
            moons.Add(number: i, planet: all[i]);
        foreach (Planet planet in all[..150])
            planets.Remove(planet);
        for (int epoch = 0; epoch < 4; epoch++)
            Epoch.TryAdvance();
        for (int i = 0; i < 150; i++)
            planets.Add(number: 1000 + i);
        foreach (Planet planet in planets)
            moons.Add(number: 0, planet: planet);

        Assert.Equal(0, CheckIds(moons));
    }

    [Fact]
    public void References_that_span_more_rows_than_there_are_codes_have_none()
    {
        using Collection<Planet> planets = Planets(70_000);
        using Collection<Moon> moons = new(s_smallBlocks);
        Planet[] all = [.. planets];
        for (int i = 0; i < 400; i++)
            moons.Add(number: i, planet: all[i % 2 == 0 ? i : all.Length - 1 - i]);
        using CriticalSection section = CriticalSection.Enter();

        Assert.Equal(0UL, References(moons, block: 1).Codes);
    }

    [Fact]
    public void A_reference_that_leads_far_away_leaves_the_others_their_codes()
    {
        using Collection<Planet> planets = Planets(140_000);
        using Collection<Moon> moons = new(s_smallBlocks);
        Moon[] added = [.. planets.Take(1000).Select(planet => moons.Add(number: planet.Number, planet: planet))];
        added[500].Planet = planets.Last();

        Assert.Equal(1, CheckIds(moons));
    }

    [Fact]
    public void Where_many_references_lead_far_away_they_are_read_themselves()
    {
        using Collection<Planet> planets = Planets(140_000);
        using Collection<Moon> moons = new(s_smallBlocks);
        Moon[] added = [.. planets.Take(1000).Select(planet => moons.Add(number: planet.Number, planet: planet))];
        for (int i = 192; i < 384; i += 8)
            added[i].Planet = planets.Last();
        using CriticalSection section = CriticalSection.Enter();

        Assert.Equal(0UL, References(moons, block: 1).Codes);
        Assert.NotEqual(0UL, References(moons, block: 2).Codes);
    }

    [Fact]
    public void References_that_rise_from_block_to_block_have_codes_however_many_rows_there_are()
    {
        using Collection<Planet> planets = Planets(140_000);
        using Collection<Moon> moons = new(s_smallBlocks);
        foreach (Planet planet in planets)
            moons.Add(number: planet.Number, planet: planet);

        Assert.Equal(0, CheckIds(moons));
    }

    /// <summary>Each moon keeps a planet with an even number, or one with an odd number, however far its planet is from those of its neighbours.</summary>
    [Fact]
    public void Conditions_behind_references_hold_while_a_writer_leads_them_far_away_and_back()
    {
        using Collection<Planet> planets = Planets(140_000);
        using Collection<Moon> moons = new(s_smallBlocks);
        Planet[] all = [.. planets];
        Moon[] added = [.. all.Take(3000).Select(planet => moons.Add(number: planet.Number, planet: planet))];
        using CancellationTokenSource end = new();
        Task writer = Task.Run(() =>
        {
            Random random = new(5);
            while (!end.IsCancellationRequested)
            {
                int i = random.Next(added.Length);
                added[i].Planet = all[random.Next(2) == 0 ? i : all.Length - added.Length + i];
            }
        });
        try
        {
            long until = Environment.TickCount64 + 1000;
            for (int runs = 0; runs < 10 || Environment.TickCount64 < until; runs++)
                Assert.Equal(added.Length / 2, Query.Run(moons, static (IEnumerable<Moon> moons) => moons.Count(m => m.Planet!.Value.Number % 2 == 0)));
        }
        finally
        {
            // It must not write into collections that are gone.
            end.Cancel();
            writer.Wait(CancellationToken.None);
        }
    }

    /// <summary>Compares what codes tell with the references, in all blocks but the first; counts those that tell none.</summary>
    private static int CheckIds(Collection<Moon> moons)
    {
        int open = 0;
        using CriticalSection section = CriticalSection.Enter();
        MemoryContext context = CollectionAccess.Context(moons);
        ColumnLayout column = Column(context);
        TargetRows planets = TargetRows.Locate(context, (ulong)column.ZoneMapOffset);
        for (int i = 1; i < context.Blocks.Count; i++)
        {
            BlockNumbers references = References(moons, i);
            Assert.NotEqual(0UL, references.Codes);
            ulong values = context.Blocks[i].Address + (ulong)column.Offset;
            for (int slot = 0; slot < context.Blocks[i].SlotCount; slot++)
            {
                ulong expected = TargetRows.IndexOf(RowAccess.Read<ulong>(values + ((ulong)slot * (ulong)column.Stride)), planets.Origin, planets.Limit);
                Assert.Equal(expected, references.NumberAt<ulong>((ulong)slot, planets.Origin, planets.Limit, TargetRows.DenseIdShift));
                ushort code = RowAccess.Read<ushort>(references.Codes + ((ulong)slot * sizeof(ushort)));
                if (code is < ColumnSketch.First or ColumnSketch.Above)
                    open++;
                else
                    Assert.Equal(expected, (ulong)(references.First + code - ColumnSketch.First));
            }
        }

        return open;
    }

    private static BlockNumbers References(Collection<Moon> moons, int block)
    {
        MemoryContext context = CollectionAccess.Context(moons);
        ColumnLayout column = Column(context);
        TargetRows planets = TargetRows.Locate(context, (ulong)column.ZoneMapOffset);
        return planets.ReferencesIn(context.Blocks[block].Address, (ulong)column.ZoneMapOffset, (ulong)column.Offset, (ulong)column.Stride);
    }

    private static ColumnLayout Column(MemoryContext context) => Array.Find(context.Layout.Columns.ToArray(), c => c.Name == "Planet")!;

    private static Collection<Planet> Planets(int count)
    {
        Collection<Planet> planets = new();
        for (int i = 0; i < count; i++)
            planets.Add(number: i);
        return planets;
    }
}
