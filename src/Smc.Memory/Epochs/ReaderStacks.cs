using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace Smc.Memory.Epochs;

/// <summary>
/// Where each thread entered its critical section, for the report on a stalled reader. Behind the switch <c>Smc.ReaderStacks</c> (AppContext,
/// read once), because a stack costs some ten microseconds for every section, and nobody can look at the stack of another thread later.
/// </summary>
internal static class ReaderStacks
{
    private static readonly ConcurrentDictionary<int, StackTrace> s_stacks = new();

    [FeatureSwitchDefinition("Smc.ReaderStacks")]
    public static bool AreKept { get; } = AppContext.TryGetSwitch("Smc.ReaderStacks", out bool kept) && kept;

    /// <summary>Keeps the caller's stack.</summary>
    /// <param name="thread">Index of the calling thread's slot.</param>
    public static void Keep(int thread) => s_stacks[thread] = new StackTrace(skipFrames: 1, fNeedFileInfo: false);

    /// <summary>The stack with which the thread of a slot entered its last section; null if it was not kept.</summary>
    public static string? Of(int thread) => s_stacks.TryGetValue(thread, out StackTrace? stack) ? stack.ToString() : null;
}
