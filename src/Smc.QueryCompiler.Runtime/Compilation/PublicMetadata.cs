using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Runtime.InteropServices;
using Microsoft.CodeAnalysis;

namespace Smc.QueryCompiler.Compilation;

/// <summary>
/// The metadata of an assembly with everything in it public. Row types and results are internal or private in most programs; the compiler reads this
/// copy, and the runtime lets the kernel at what is not public in the original (<c>IgnoresAccessChecksTo</c>).
/// </summary>
internal sealed class PublicMetadata
{
    private readonly byte[] _copy;

    private PublicMetadata(byte[] copy, string display)
    {
        _copy = copy;
        Reference = AssemblyMetadata.Create(ModuleMetadata.CreateFromMetadata(Marshal.UnsafeAddrOfPinnedArrayElement(_copy, 0), _copy.Length)).GetReference(display: display);
    }

    public MetadataReference Reference { get; }

    public static unsafe PublicMetadata Of(Assembly assembly)
    {
        if (!assembly.TryGetRawMetadata(out byte* metadata, out int length))
            throw new KernelCompilationException($"the assembly {assembly.GetName().Name} has no metadata");
        byte[] copy = GC.AllocateUninitializedArray<byte>(length, pinned: true);
        new ReadOnlySpan<byte>(metadata, length).CopyTo(copy);
        MakePublic(copy, new MetadataReader(metadata, length));
        return new PublicMetadata(copy, assembly.FullName!);
    }

    // ECMA-335 II.22.15, II.22.26 and II.22.37: where the flags are in a row of each table.
    private static void MakePublic(byte[] copy, MetadataReader reader)
    {
        foreach (int row in Rows(reader, TableIndex.TypeDef))
        {
            ref uint flags = ref MemoryMarshal.AsRef<uint>(copy.AsSpan(row));
            bool isNested = (flags & (uint)TypeAttributes.VisibilityMask) > (uint)TypeAttributes.Public;
            flags = (flags & ~(uint)TypeAttributes.VisibilityMask) | (uint)(isNested ? TypeAttributes.NestedPublic : TypeAttributes.Public);
        }

        foreach (int row in Rows(reader, TableIndex.Field))
            MakeMemberPublic(copy, row, (ushort)FieldAttributes.FieldAccessMask, (ushort)FieldAttributes.Public);
        foreach (int row in Rows(reader, TableIndex.MethodDef))
            MakeMemberPublic(copy, row + 6, (ushort)MethodAttributes.MemberAccessMask, (ushort)MethodAttributes.Public);
    }

    private static void MakeMemberPublic(byte[] copy, int offset, ushort mask, ushort isPublic)
    {
        ref ushort flags = ref MemoryMarshal.AsRef<ushort>(copy.AsSpan(offset));
        flags = (ushort)((flags & ~mask) | isPublic);
    }

    private static IEnumerable<int> Rows(MetadataReader reader, TableIndex table)
    {
        int start = reader.GetTableMetadataOffset(table);
        int size = reader.GetTableRowSize(table);
        return Enumerable.Range(0, reader.GetTableRowCount(table)).Select(i => start + (i * size));
    }
}
