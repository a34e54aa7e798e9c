using System.Runtime.CompilerServices;

namespace Smc.Collections.Tests;

/// <summary>The id of a row among those of its collection, which a later row has when this one is gone.</summary>
internal static class DenseId
{
    public static uint Of<T>(T row)
        where T : struct => (uint)(Unsafe.As<T, ulong>(ref row) >> 20);
}
