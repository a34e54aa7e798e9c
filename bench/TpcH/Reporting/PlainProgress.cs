using System.Diagnostics;
using System.Globalization;

namespace TpcH.Reporting;

/// <summary>Progress as lines, for logs: where a stage begins and ends, and every few seconds how far it is.</summary>
internal sealed class PlainProgress(TextWriter writer) : IProgressDisplay
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    public T Stage<T>(string title, Func<IProgressStage, T> work)
    {
        long start = Stopwatch.GetTimestamp();
        Line(title);
        T result = work(new PlainStage(this, title));
        Line(string.Create(CultureInfo.InvariantCulture, $"{title}: {Stopwatch.GetElapsedTime(start).TotalSeconds:0.0} s"));
        return result;
    }

    public void Line(string text)
    {
        lock (writer)
            writer.WriteLine(text);
    }

    private sealed class PlainStage(PlainProgress display, string title) : IProgressStage
    {
        private long _lastLine = Stopwatch.GetTimestamp();

        public void Report(double fraction)
        {
            long last = Volatile.Read(ref _lastLine);
            if (Stopwatch.GetElapsedTime(last) < Interval || Interlocked.CompareExchange(ref _lastLine, Stopwatch.GetTimestamp(), last) != last)
                return;
            display.Line(string.Create(CultureInfo.InvariantCulture, $"{title}: {100 * fraction:0} %"));
        }

        public void Note(string text) => display.Line("  " + text);
    }
}
