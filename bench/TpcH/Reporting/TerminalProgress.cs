using System.Diagnostics;
using Spectre.Console;

namespace TpcH.Reporting;

/// <summary>A progress bar per stage. It is drawn only when progress is reported, so that no other thread works while queries are timed.</summary>
internal sealed class TerminalProgress(IAnsiConsole console) : IProgressDisplay
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    public T Stage<T>(string title, Func<IProgressStage, T> work) =>
        console.Progress()
            .AutoRefresh(false)
            .Columns(new TaskDescriptionColumn { Alignment = Justify.Left }, new ProgressBarColumn(), new PercentageColumn(), new ElapsedTimeColumn())
            .Start(context =>
            {
                ProgressTask task = context.AddTask(Markup.Escape(title), maxValue: 1);
                T result = work(new TerminalStage(context, task, title));
                task.Description = Markup.Escape(title);
                task.Value = 1;
                context.Refresh();
                return result;
            });

    public void Line(string text) => console.WriteLine(text);

    private sealed class TerminalStage(ProgressContext context, ProgressTask task, string title) : IProgressStage
    {
        private readonly Lock _drawing = new();
        private long _lastDrawn;

        public void Report(double fraction)
        {
            lock (_drawing)
            {
                if (Stopwatch.GetElapsedTime(_lastDrawn) < Interval)
                    return;
                task.Value = fraction;
                Draw();
            }
        }

        public void Note(string text)
        {
            lock (_drawing)
            {
                task.Description = Markup.Escape($"{title}: {text}");
                Draw();
            }
        }

        private void Draw()
        {
            _lastDrawn = Stopwatch.GetTimestamp();
            context.Refresh();
        }
    }
}
