using Smc.Memory;
using Xunit;

namespace Smc.Saving.Tests;

/// <summary>What a load that failed leaves behind.</summary>
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
