using System.Diagnostics;
using Smc.Memory.Epochs;

namespace Smc.Memory.Timelines;

/// <summary>
/// Looks every millisecond which sections are older than the epoch, and writes down from when to when they were seen. Readers do not notice: what they announce anyway is
/// all that is looked at. A section that ends within its epoch holds nobody up and is not seen.
/// </summary>
internal sealed class SectionSampler : IDisposable
{
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(1);

    private readonly ManualResetEventSlim _end = new();
    private readonly Dictionary<int, OpenSection> _open = [];
    private readonly Dictionary<int, TimelineRow> _rows = [];
    private readonly int _sections;
    private readonly Thread _thread;

    private readonly record struct OpenSection(long Announced, long Start, long LastSeen);

    /// <param name="sections">Sections of one thread that there is room for.</param>
    public SectionSampler(int sections)
    {
        _sections = sections;
        _thread = new Thread(Run) { IsBackground = true, Name = "timeline" };
        _thread.Start();
    }

    /// <summary>Sections by the slots of their threads. Whole when it has stopped.</summary>
    public IReadOnlyList<TimelineRow> Rows
    {
        get
        {
            lock (_rows) return [.. _rows.Values];
        }
    }

    /// <summary>Stops, and writes down those that are still open.</summary>
    public void Dispose()
    {
        _end.Set();
        _thread.Join();
        _end.Dispose();
    }

    private void Run()
    {
        while (!_end.Wait(s_period)) Look();
        // On a busy machine the last look may be long ago.
        Look();
        foreach (int index in _open.Keys.ToArray()) Close(index);
    }

    private unsafe void Look()
    {
        long now = GlobalEpoch.Now;
        int used = ThreadSlots.Used;
        for (int i = 0; i < used; i++)
        {
            // SAFETY: slots are never freed.
            long announced = Announcement.OfSection(Volatile.Read(ref ThreadSlots.At(i)->Announced));
            bool isOpen = _open.TryGetValue(i, out OpenSection open);
            if (isOpen && open.Announced != announced)
            {
                Close(i);
                isOpen = false;
            }
            // Who entered after the epoch began announces it. So this is one section since then, however often its thread is seen.
            if (announced == 0 || announced > now) continue;
            long time = Stopwatch.GetTimestamp();
            // It announced epoch announced - 1, so it was inside when the epoch after that began.
            _open[i] = isOpen ? open with { LastSeen = time } : new OpenSection(announced, time - (long)(Epoch.Age(announced).TotalSeconds * Stopwatch.Frequency), time);
        }
    }

    private TimelineRow RowOf(int slot)
    {
        lock (_rows)
        {
            if (!_rows.TryGetValue(slot, out TimelineRow? row)) _rows.Add(slot, row = new TimelineRow(_sections) { Slot = slot });
            return row;
        }
    }

    private void Close(int index)
    {
        _open.Remove(index, out OpenSection open);
        Thread owner = ThreadSlots.OwnerOf(index) ?? _thread;
        RowOf(index).Add(new TimelineEvent(TimelineKind.Section, open.Start, open.LastSeen, open.Announced - 1), owner);
    }
}
