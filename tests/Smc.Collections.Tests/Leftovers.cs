using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Memory that is still mapped when everything was disposed.</summary>
internal static class Leftovers
{
    /// <summary>Waits until nothing is mapped: another test may be inside a critical section.</summary>
    public static void AreNone(MemoryManager manager)
    {
        Assert.True(SpinWait.SpinUntil(IsAllBack, TimeSpan.FromMinutes(1)));

        bool IsAllBack()
        {
            Epoch.TryAdvance();
            return manager.MappedBytes == 0;
        }
    }
}
