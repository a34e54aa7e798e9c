using System.Runtime.InteropServices;

namespace Smc.Memory.Regions;

/// <summary>The first bytes of a chunk of region memory.</summary>
[StructLayout(LayoutKind.Sequential, Size = HeaderBytes)]
internal struct RegionChunk
{
    public const int HeaderBytes = 64;

    /// <summary>The next chunk of the region, or of the cache.</summary>
    public unsafe RegionChunk* Next;

    /// <summary>Size with the header.</summary>
    public long Bytes;

    /// <summary>From this offset on the chunk has never been used and reads as zero.</summary>
    public long DirtyEnd;
}
