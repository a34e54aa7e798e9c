using System.Diagnostics;
using Smc.Memory.Epochs;

namespace Smc.Memory.Timelines;

/// <summary>
/// Looks every millisecond which sections are older than the epoch, and writes them down when they end. Readers do not notice: what they announce anyway is
/// all that is looked at. A section that ends within its epoch holds nobody up and is not seen.
/// </summary>
internal sealed class SectionSampler : IDisposable
{
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(1);

    private readonly ManualResetEventSlim _end = new();
    private readonly Dictionary<int, (long Announced, long Start)> _open = [];
    private readonly TimelineRow[] _rows;
    private readonly Thread _thread;

    public SectionSampler(int threads, int sections)
    {
        _rows = [.. Enumerable.Range(0, threads).Select(index => new TimelineRow(index, sections))];
        _thread = new Thread(Run) { IsBackground = true, Name = "timeline" };
        _thread.Start();
    }

    /// <summary>Sections by the slots of their threads.</summary>
    public IReadOnlyList<TimelineRow> Rows => _rows;

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
        foreach (int index in _open.Keys.ToArray()) Close(index);
    }

    private unsafe void Look()
    {
        long now = GlobalEpoch.Now;
        int used = Math.Min(ThreadSlots.Used, _rows.Length);
        for (int i = 0; i < used; i++)
        {
            // SAFETY: slots are never freed.
            long announced = Volatile.Read(ref ThreadSlots.At(i)->Announced);
            if (_open.TryGetValue(i, out (long Announced, long Start) open) && open.Announced != announced) Close(i);
            // Who entered after the epoch began announces it. So this is one section since then, however often its thread is seen.
            if (announced == 0 || announced > now || _open.ContainsKey(i)) continue;
            // It announced epoch announced - 1, so it was inside when the epoch after that began.
            _open.Add(i, (announced, Stopwatch.GetTimestamp() - (long)(Epoch.Age(announced).TotalSeconds * Stopwatch.Frequency)));
        }
    }

    private void Close(int index)
    {
        _open.Remove(index, out (long Announced, long Start) open);
        Thread owner = ThreadSlots.OwnerOf(index) ?? _thread;
        _rows[index].Add(new TimelineEvent(TimelineKind.Section, open.Start, Stopwatch.GetTimestamp(), open.Announced - 1), owner);
    }
}
