using System.Diagnostics.Tracing;
using Smc.Memory.Diagnostics;

namespace Smc.Memory.Tests;

/// <summary>Listens to the library's events while it lives.</summary>
internal sealed class HeardEvents : EventListener
{
    private readonly List<(string Name, object?[] Payload)> _all = [];
    private readonly Action<string>? _react;

    public HeardEvents(EventKeywords keywords, Action<string>? react = null)
    {
        _react = react;
        EnableEvents(MemoryEventSource.Log, EventLevel.Verbose, keywords);
    }

    public List<object?[]> Of(string name)
    {
        lock (_all) return [.. _all.Where(told => told.Name == name).Select(static told => told.Payload)];
    }

    protected override void OnEventWritten(EventWrittenEventArgs told)
    {
        if (told.EventSource != MemoryEventSource.Log) return;
        lock (_all) _all.Add((told.EventName!, [.. told.Payload!]));
        _react?.Invoke(told.EventName!);
    }
}
