using System.Text.Json;

namespace Smc.Memory.Timelines;

/// <summary>The trace event format: complete events ("X"), instants ("i"), a counter ("C") and names ("M"); times in microseconds.</summary>
internal static class ChromeTrace
{
    private const int Process = 1;

    public static void Write(TimelineDrawing drawing, Stream stream)
    {
        using Utf8JsonWriter json = new(stream);
        json.WriteStartObject();
        json.WriteStartArray("traceEvents");
        foreach (TimelineDrawing.Row row in drawing.Threads)
        {
            Begin(json, "thread_name", "M", row.Index, 0);
            json.WriteStartObject("args");
            json.WriteString("name", row.Thread);
            json.WriteEndObject();
            json.WriteEndObject();
            foreach (TimelineEvent happened in row.Events) Write(json, drawing, row.Index, happened);
            if (row.LostFrom is { } lost) WriteLost(json, row, drawing.At(lost), drawing.Seconds);
        }
        foreach (TimelineEvent mark in drawing.Epochs)
        {
            Begin(json, "garbage", "C", 0, drawing.At(mark.Start));
            json.WriteStartObject("args");
            json.WriteNumber("bytes", mark.Value);
            json.WriteEndObject();
            json.WriteEndObject();
        }
        json.WriteEndArray();
        json.WriteString("displayTimeUnit", "ms");
        json.WriteStartObject("otherData");
        json.WriteNumber("dropped events", drawing.Dropped);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, TimelineDrawing drawing, int thread, TimelineEvent happened)
    {
        bool isMark = happened.Kind is TimelineKind.EpochMoved or TimelineKind.EpochBlocked;
        (string name, string unit) = happened.Kind switch
        {
            TimelineKind.Free => ("free", "pieces"),
            TimelineKind.Drain => ("drain", "things"),
            TimelineKind.Compaction => ("compaction", "rows"),
            TimelineKind.Section => ("section", "epoch"),
            TimelineKind.EpochMoved => ("epoch moved", "garbage"),
            _ => ("epoch blocked", "slot"),
        };
        Begin(json, name, isMark ? "i" : "X", thread, drawing.At(happened.Start));
        if (isMark) json.WriteString("s", "t");
        else json.WriteNumber("dur", Microseconds(drawing.At(happened.End) - drawing.At(happened.Start)));
        json.WriteStartObject("args");
        json.WriteNumber(unit, happened.Value);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void WriteLost(Utf8JsonWriter json, TimelineDrawing.Row row, double from, double end)
    {
        Begin(json, "events had no room", "X", row.Index, from);
        json.WriteNumber("dur", Microseconds(Math.Max(end - from, 0)));
        json.WriteStartObject("args");
        json.WriteNumber("events", row.Dropped);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void Begin(Utf8JsonWriter json, string name, string phase, int thread, double seconds)
    {
        json.WriteStartObject();
        json.WriteString("name", name);
        json.WriteString("ph", phase);
        json.WriteNumber("pid", Process);
        json.WriteNumber("tid", thread);
        json.WriteNumber("ts", Microseconds(seconds));
    }

    private static double Microseconds(double seconds) => Math.Round(seconds * 1e6, 3);
}
