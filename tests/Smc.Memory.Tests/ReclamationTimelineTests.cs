using System.Text.Json;
using System.Xml.Linq;

namespace Smc.Memory.Tests;

/// <summary>What a timeline records, and what it writes.</summary>
public sealed class ReclamationTimelineTests
{
    [Fact]
    public void It_records_what_is_freed_and_when_the_epoch_moves()
    {
        using ReclamationTimeline timeline = Recorded();
        Assert.True(timeline.GarbagePerEpoch.Count >= 3);
        Assert.True(timeline.TimeFreeing > TimeSpan.Zero);
        Assert.Equal(0, timeline.DroppedEvents);
    }

    [Fact]
    public void Its_picture_is_well_formed_and_has_boxes_and_marks()
    {
        using ReclamationTimeline timeline = Recorded();
        using StringWriter text = new();
        timeline.WriteSvg(text);
        List<string> classes = [.. XDocument.Parse(text.ToString()).Descendants().Select(static element => (string?)element.Attribute("class") ?? "")];
        // One of each is in the legend.
        Assert.True(classes.Count(static name => name == "Free") > 1);
        Assert.True(classes.Count(static name => name == "EpochMoved") > 1);
        Assert.Contains("garbage", classes);
    }

    [Fact]
    public void Its_trace_has_intervals_instants_names_and_a_counter()
    {
        using ReclamationTimeline timeline = Recorded();
        using MemoryStream stream = new();
        timeline.WriteChromeTrace(stream);
        using JsonDocument trace = JsonDocument.Parse(stream.ToArray());
        List<JsonElement> events = [.. trace.RootElement.GetProperty("traceEvents").EnumerateArray()];
        Assert.Superset(new HashSet<string> { "X", "i", "M", "C" }, events.Select(static told => told.GetProperty("ph").GetString()!).ToHashSet());
        Assert.All(events.Where(static told => told.GetProperty("ph").GetString() == "X"), static told => Assert.True(told.GetProperty("dur").GetDouble() >= 0));
    }

    [Fact]
    public void A_section_that_holds_the_epoch_up_is_recorded_with_its_thread()
    {
        using ReclamationTimeline timeline = ReclamationTimeline.Start();
        using (ParkedReader reader = new())
        {
            Assert.True(Epoch.TryAdvance());
            Assert.False(Epoch.TryAdvance());
            // The sampler looks every millisecond, if the machine lets it, and once more at the end.
            timeline.Stop();
        }
        using MemoryStream stream = new();
        timeline.WriteChromeTrace(stream);
        using JsonDocument trace = JsonDocument.Parse(stream.ToArray());
        List<JsonElement> events = [.. trace.RootElement.GetProperty("traceEvents").EnumerateArray()];
        JsonElement section = Assert.Single(events, static told => told.GetProperty("name").GetString() == "section");
        Assert.True(section.GetProperty("dur").GetDouble() > 0);
        Assert.Contains(events, static told => told.GetProperty("name").GetString() == "epoch blocked");
        int thread = section.GetProperty("tid").GetInt32();
        Assert.Contains(events, told => told.GetProperty("ph").GetString() == "M" && told.GetProperty("tid").GetInt32() == thread
            && told.GetProperty("args").GetProperty("name").GetString()!.StartsWith("parked reader", StringComparison.Ordinal));
    }

    [Fact]
    public void Events_for_which_there_is_no_room_are_counted()
    {
        using ReclamationTimeline timeline = ReclamationTimeline.Start(eventsPerThread: 2, threads: 1);
        for (int i = 0; i < 5; i++) Assert.True(Epoch.TryAdvance());
        timeline.Stop();
        Assert.Equal((2, 3), (timeline.GarbagePerEpoch.Count, timeline.DroppedEvents));
    }

    [Fact]
    public void Its_picture_and_its_trace_say_which_events_are_missing()
    {
        using ReclamationTimeline timeline = RecordedWithoutRoom();
        Assert.Equal(4, timeline.DroppedEvents);
        using StringWriter text = new();
        timeline.WriteSvg(text);
        Assert.Contains("; 4 events had no room", text.ToString(), StringComparison.Ordinal);
        XElement lost = Assert.Single(XDocument.Parse(text.ToString()).Descendants(), static element => (string?)element.Attribute("class") == "lost");
        Assert.Equal("3 events had no room", lost.Value);
        using MemoryStream stream = new();
        timeline.WriteChromeTrace(stream);
        using JsonDocument trace = JsonDocument.Parse(stream.ToArray());
        Assert.Equal(4, trace.RootElement.GetProperty("otherData").GetProperty("dropped events").GetInt64());
        JsonElement interval = Assert.Single(trace.RootElement.GetProperty("traceEvents").EnumerateArray(), static told => told.GetProperty("name").GetString() == "events had no room");
        Assert.Equal(3, interval.GetProperty("args").GetProperty("events").GetInt64());
        Assert.True(interval.GetProperty("dur").GetDouble() > 0);
    }

    [Fact]
    public void Nothing_is_said_of_missing_events_when_none_are()
    {
        using ReclamationTimeline timeline = Recorded();
        using StringWriter text = new();
        timeline.WriteSvg(text);
        Assert.DoesNotContain("no room", text.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain(XDocument.Parse(text.ToString()).Descendants(), static element => (string?)element.Attribute("class") == "lost");
    }

    [Fact]
    public void One_runs_at_a_time()
    {
        using (ReclamationTimeline.Start()) Assert.Throws<InvalidOperationException>(() => ReclamationTimeline.Start());
        ReclamationTimeline.Start().Dispose();
    }

    [Fact]
    public void What_happens_after_the_end_is_not_recorded()
    {
        using ReclamationTimeline timeline = ReclamationTimeline.Start();
        timeline.Stop();
        Assert.True(Epoch.TryAdvance());
        Assert.Empty(timeline.GarbagePerEpoch);
    }

    /// <summary>A timeline that had no room for three events of one thread, nor for the only one of another thread.</summary>
    private static ReclamationTimeline RecordedWithoutRoom()
    {
        const int Attempts = 10;
        for (int attempt = 1; ; attempt++)
        {
            ReclamationTimeline timeline = ReclamationTimeline.Start(eventsPerThread: 2, threads: 1);
            for (int i = 0; i < 5; i++) Assert.True(Epoch.TryAdvance());
            // A thread that gets no row.
            Thread other = new(static () => Assert.True(SpinWait.SpinUntil(Epoch.TryAdvance, TimeSpan.FromSeconds(30))));
            other.Start();
            other.Join();
            timeline.Stop();
            // The timeline is of the process: a thread of the pool that frees something meanwhile has no room for that either.
            if (timeline.DroppedEvents == 4 || attempt == Attempts) return timeline;
            timeline.Dispose();
        }
    }

    private static ReclamationTimeline Recorded()
    {
        ReclamationTimeline timeline = ReclamationTimeline.Start();
        using TestTable table = new();
        ulong row = table.Add(1, "a text that needs a chunk");
        for (int i = 0; i < 100; i++) table.SetText(row, "another text that needs a chunk");
        for (int i = 0; i < 4; i++) Assert.True(Epoch.TryAdvance());
        timeline.Stop();
        return timeline;
    }
}
