using Smc.Memory;

namespace Smc.Collections;

/// <summary>Writes that belong together: a snapshot has all of them or none.</summary>
/// <remarks>
/// <code>
/// using (WriteGroup.Begin()) { a.Balance -= 5; b.Balance += 5; }
/// </code>
/// Readers without a snapshot see the writes one by one. Nothing is rolled back when one throws. Groups that change the same row need a lock of the application, taken before the group.
/// Keep groups short: while one is open, <c>Snapshot.Take</c> waits. Groups nest; the outermost counts. They belong to their thread and cannot cross <see langword="await"/>.
/// </remarks>
public readonly ref struct WriteGroup : IDisposable
{
    private readonly WriteWindow _window;

    // A group may be disposed before the end of its using block, and then once more.
    private readonly long _number;

    private WriteGroup(WriteWindow window)
    {
        _window = window;
        _number = window.Number;
    }

    /// <summary>Begins a group.</summary>
    public static WriteGroup Begin() => new(WriteWindow.Enter());

    /// <summary>Ends the group. A second time nothing happens.</summary>
    public void Dispose() => _window.Close(_number);
}
