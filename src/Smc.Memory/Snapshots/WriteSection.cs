using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.Epochs;

namespace Smc.Memory;

/// <summary>A <see cref="CriticalSection"/> and a <see cref="WriteWindow"/> at once: what a setter is in. One look at the thread's slot for both.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct WriteSection : IDisposable
{
    private readonly CriticalSection _section;

    // The thread's slot if the window is the outermost, else null.
    private readonly unsafe ThreadSlot* _window;

    private unsafe WriteSection(CriticalSection section, ThreadSlot* window)
    {
        _section = section;
        _window = window;
    }

    /// <summary>Enters a critical section and opens a window.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe WriteSection Enter()
    {
        ThreadSlot* slot = ThreadSlots.Current;
        CriticalSection section = CriticalSection.Enter(slot);
        // SAFETY: the slot of the calling thread; never freed.
        if ((slot->Window & 1) != 0) return new WriteSection(section, null);
        WriteWindow.Open(slot);
        return new WriteSection(section, slot);
    }

    /// <summary>Enters a critical section only.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe WriteSection EnterToRead() => new(CriticalSection.Enter(), null);

    /// <summary>Closes the window and leaves the section, each if it is the outermost.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe void Dispose()
    {
        if (_window != null) WriteWindow.Close(_window);
        _section.Dispose();
    }
}
