using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Smc.Memory.Diagnostics;

namespace Smc.Memory.Tests;

public sealed class MeterTests
{
    private const string Name = "metered";

    [Fact]
    public void The_parts_of_all_collections_add_up_to_what_the_manager_has_mapped()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Name = Name });
        using TestTable first = new(manager: manager), second = new(manager: manager);
        for (int i = 0; i < 50; i++)
        {
            ulong row = first.Add(i, "a text that needs a chunk");
            if (i % 3 == 0) first.Context.Removal.TryRemove(row);
            second.SetText(second.Add(i, "another text that needs a chunk"), "a third one");
            Readings readings = Readings.Take();
            long parts = 0;
            foreach (string part in new[] { "live", "limbo", "free", "strings", "retired", "indirection", "headers", "regions", "indexes" })
                parts += readings.Sum($"smc.memory.{part}");
            Assert.Equal(readings.Sum("smc.memory.mapped"), parts);
            Assert.Equal(manager.MappedBytes, parts);
        }
    }

    [Fact]
    public void Rows_are_counted_for_each_collection()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Name = Name });
        using TestTable table = new(manager: manager);
        for (int i = 0; i < 7; i++) table.Add(i);
        Assert.Equal(7, Readings.Take().Sum("smc.collection.rows"));
    }

    [Fact]
    public void A_disposed_collection_vanishes_and_its_memory_is_the_managers_until_readers_are_through()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Name = Name });
        TestTable table = new(manager: manager);
        table.Add(1, "a text that needs a chunk");
        using (ParkedReader reader = new())
        {
            table.Dispose();
            Readings readings = Readings.Take();
            Assert.Empty(readings.Of("smc.collection.rows"));
            Assert.DoesNotContain(readings.Of("smc.memory.mapped"), static reading => reading.Collection is not null);
            Assert.Equal(manager.MappedBytes, readings.Sum("smc.memory.mapped"));
            Assert.True(manager.MappedBytes > 0);
        }
        TestTable.PassGrace();
        Assert.Empty(Readings.Take().Of("smc.memory.mapped"));
    }

    [Fact]
    public void The_age_of_the_oldest_reader_is_measured_with_its_thread()
    {
        Assert.Equal(0, Readings.Take().Age);
        using ParkedReader reader = new();
        Epoch.TryAdvance();
        Epoch.TryAdvance();
        Readings readings = Readings.Take();
        Assert.True(readings.Age > 0);
        Assert.Equal("parked reader", readings.OldestThread);
        reader.Release();
        Assert.Equal(0, Readings.Take().Age);
    }

    [Fact]
    public void Advances_are_counted()
    {
        long before = Readings.Take().Total("smc.epoch.advances");
        Assert.True(Epoch.TryAdvance());
        Assert.Equal(before + 1, Readings.Take().Total("smc.epoch.advances"));
    }

    [Fact]
    public void Every_instrument_has_a_unit_and_a_description()
    {
        // Tests that run beside this one may be the first to measure: then a part of the instruments is there.
        RuntimeHelpers.RunClassConstructor(typeof(MemoryMeter).TypeHandle);
        List<Instrument> instruments = [];
        using MeterListener listener = new();
        listener.InstrumentPublished = (instrument, _) =>
        {
            if (instrument.Meter.Name == MemoryMeter.MeterName) instruments.Add(instrument);
        };
        listener.Start();
        Assert.True(instruments.Count >= 15);
        Assert.All(instruments, static instrument => Assert.False(string.IsNullOrEmpty(instrument.Unit) || string.IsNullOrEmpty(instrument.Description)));
    }

    [Fact]
    public void Compactions_are_counted_and_timed()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Name = Name });
        using TestTable table = new(manager: manager);
        long rows = 0;
        double seconds = 0;
        using MeterListener listener = Readings.Listener();
        listener.SetMeasurementEventCallback<long>((instrument, value, _, _) => rows += instrument.Name == "smc.compaction.rows_moved" ? value : 0);
        listener.SetMeasurementEventCallback<double>((instrument, value, _, _) => seconds += instrument.Name == "smc.compaction.duration" ? value : 0);
        listener.Start();
        CompactionTelemetry.Started(table.Context, blocks: 2, groups: 1);
        CompactionTelemetry.Moved(table.Context, 30);
        CompactionTelemetry.Moved(table.Context, 12);
        CompactionTelemetry.Ended(table.Context, 42, 2, 65536, TimeSpan.FromSeconds(0.5), isComplete: true);
        Assert.Equal((42, 0.5), (rows, seconds));
    }

    /// <summary>One look at all observed instruments; of memory only that of the manager under test.</summary>
    private sealed class Readings
    {
        private readonly List<Reading> _all = [];

        public double Age { get; private set; }

        public string? OldestThread { get; private set; }

        public static MeterListener Listener() => new()
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == MemoryMeter.MeterName) listener.EnableMeasurementEvents(instrument);
            },
        };

        public static Readings Take()
        {
            Readings readings = new();
            using MeterListener listener = Listener();
            listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
                readings._all.Add(new Reading(instrument.Name, Tag(tags, MemoryMeter.ManagerTag), Tag(tags, MemoryMeter.CollectionTag), value)));
            listener.SetMeasurementEventCallback<int>((instrument, value, tags, _) =>
                readings._all.Add(new Reading(instrument.Name, Tag(tags, MemoryMeter.ManagerTag), Tag(tags, MemoryMeter.CollectionTag), value)));
            listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) =>
            {
                if (instrument.Name != "smc.reader.oldest.age") return;
                readings.Age = value;
                readings.OldestThread = Tag(tags, MemoryMeter.ThreadNameTag);
            });
            listener.Start();
            listener.RecordObservableInstruments();
            return readings;
        }

        public List<Reading> Of(string instrument) => _all.FindAll(reading => reading.Instrument == instrument && reading.Manager == Name);

        public long Sum(string instrument) => Of(instrument).Sum(static reading => reading.Value);

        /// <summary>Of instruments without tags.</summary>
        public long Total(string instrument) => _all.Where(reading => reading.Instrument == instrument).Sum(static reading => reading.Value);

        private static string? Tag(ReadOnlySpan<KeyValuePair<string, object?>> tags, string name)
        {
            foreach (KeyValuePair<string, object?> tag in tags)
            {
                if (tag.Key == name) return tag.Value as string;
            }
            return null;
        }
    }

    private sealed record Reading(string Instrument, string? Manager, string? Collection, long Value);
}
