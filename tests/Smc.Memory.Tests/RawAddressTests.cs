using System.Reflection;
using System.Runtime.CompilerServices;

namespace Smc.Memory.Tests;

/// <summary>Addresses stay inside the views that own their loads (docs/decisions/0041-views-own-their-loads.md): who has an address would have to know the ordering, alignment and bound of what lies there.</summary>
public sealed class RawAddressTests
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    // What a number is called that is an address.
    private static readonly string[] s_names = ["address", "block", "location", "entry", "zone", "chunk", "segment", "codes", "validity", "backpointers", "header"];

    /// <summary>Types whose members may have raw addresses, each with its reason.</summary>
    private static readonly Dictionary<string, string> s_exceptions = new()
    {
        ["BlockRef"] = "a view; kernels and codecs get a block's address here",
        ["RowLocation"] = "a view; kernels and codecs get a value's address here",
        ["ZoneView"] = "a view; kernels get the codes here, for loops over a column",
        ["RowField"] = "a view; scans for retired rows gather values of several slots",
        ["SlicePlace"] = "a view; a key of an ordered table keeps it as a word",
        ["BlockHeader"] = "what the text of kernels calls, which has addresses",
        ["EntryWord"] = "the layout that EntryRef and PackedEntries read",
        ["Handle"] = "entry numbers; Make puts the address of an EntryRef into a handle",
        ["PackedPage"] = "the layout that PackedEntries reads, in a page that it has found or just taken",
        ["PackedPlace"] = "as PackedPage",
        ["PackedBatch"] = "where a mapping begins",
        ["PackedBatches"] = "memory for a new packed page, which no reader has",
        ["Arena"] = "where a mapping begins",
        ["ArenaPool"] = "takes memory back that no reader has",
        ["GuardMode"] = "poisons freed memory",
        ["MappingProbe"] = "decides for tests what the system does with a mapping",
        ["Prefetch"] = "asks for a line, whatever is there",
        ["UnixMemory"] = "system calls",
        ["WindowsMemory"] = "system calls",
        ["VirtualMemory"] = "system calls",
        ["AsymmetricFence"] = "slots of threads are never freed; the fences of a section and a window",
        ["CriticalSection"] = "as AsymmetricFence",
        ["WriteWindow"] = "as AsymmetricFence",
        ["ThreadSlot"] = "as AsymmetricFence",
        ["ThreadSlots"] = "as AsymmetricFence",
        ["TokenRing"] = "as AsymmetricFence",
        ["GlobalEpoch"] = "the word of the epoch, never freed",
        ["RegionChunk"] = "regions hand out addresses to kernels",
        ["RegionChunkCache"] = "as RegionChunk",
        ["SliceBlock"] = "where a mapping begins",
        ["IndexSegment"] = "the layout that IndexTable reads eight words at once, and LatchedSegment changes",
        ["LatchedSegment"] = "a view; growth copies the words of its segment",
        ["SegmentRef"] = "a view; look-ups find their bucket from a segment's address",
        ["IndexGrowth"] = "as LatchedSegment",
        ["PageTransfer"] = "as PackedPage",
        ["ClaimedWord"] = "a word that its claimer alone changes, under the stripe of its row",
        ["IndexMemory"] = "gives memory of segments out and takes it back",
        ["IndexPiece"] = "as IndexMemory",
        ["StringWord"] = "owns the word of a text; kernels ask for the chunk behind it",
        ["StringSegments"] = "maps the memory of chunks and takes it back",
        ["StringSegment"] = "where a mapping begins",
        ["TextChunk"] = "a view; words have its address",
    };

    [Fact]
    public void Addresses_leave_no_type_but_the_views_and_the_exceptions()
    {
        ILookup<string, string> found = typeof(MemoryContext).Assembly.GetTypes().Where(IsWritten)
            .SelectMany(static type => RawMembers(type).Select(member => (Type: NameOf(type), Member: member))).ToLookup(static raw => raw.Type, static raw => raw.Member);
        string[] others = [.. found.Where(static type => !s_exceptions.ContainsKey(type.Key)).Select(static type => $"{type.Key}: {string.Join(", ", type)}").Order(StringComparer.Ordinal)];
        Assert.True(others.Length == 0, string.Join(Environment.NewLine, others));
        Assert.All(s_exceptions.Keys, type => Assert.True(found.Contains(type), $"{type} has no raw address any more: take it out of the list"));
    }

    [Fact]
    public void A_member_that_gives_or_takes_an_address_is_found() =>
        Assert.Equal(["BlockAddress", "LastChunk", "Made", "Pointer", "Taken"], RawMembers(typeof(Offender)).Order(StringComparer.Ordinal));

    private static bool IsWritten(Type type) => type.GetCustomAttribute<CompilerGeneratedAttribute>() is null && !type.Name.StartsWith('<');

    private static string NameOf(Type type) => type.Name.Split('`')[0];

    /// <summary>The members that others can use and that have an address in their signature.</summary>
    private static IEnumerable<string> RawMembers(Type type) =>
    [
        .. type.GetFields(Declared).Where(static field => !field.IsPrivate && !field.IsLiteral && IsRaw(field.FieldType, field.Name)).Select(static field => field.Name),
        .. type.GetProperties(Declared).Where(static property => property.GetMethod is { IsPrivate: false } && IsRaw(property.PropertyType, property.Name)).Select(static property => property.Name),
        .. type.GetMethods(Declared).Where(static method => !method.IsPrivate && !method.IsSpecialName && IsWritten(method) && (IsRaw(method.ReturnType, method.Name) || method.GetParameters().Any(IsRaw))).Select(static method => method.Name),
    ];

    // Records deconstruct into what their properties have; delegates have methods of the runtime.
    private static bool IsWritten(MethodInfo method) => method.GetCustomAttribute<CompilerGeneratedAttribute>() is null && method.Name != "Deconstruct" && !method.Name.Contains('<');

    // A reference to a word is bound to its view.
    private static bool IsRaw(ParameterInfo parameter) =>
        parameter.ParameterType.IsByRef ? parameter.IsOut && IsRaw(parameter.ParameterType.GetElementType()!, parameter.Name!) : IsRaw(parameter.ParameterType, parameter.Name!);

    private static bool IsRaw(Type type, string name) =>
        type.IsPointer || type == typeof(nint) || type == typeof(nuint) || (type == typeof(ulong) && s_names.Any(known => name.StartsWith(known, StringComparison.OrdinalIgnoreCase) || name.EndsWith(known, StringComparison.OrdinalIgnoreCase)));

    private sealed class Offender
    {
        public unsafe int* Pointer => null;

        public ulong BlockAddress => 0;

        public static nint Made() => 0;

        public ulong LastChunk => 0;

        public void Taken(ulong block) => _ = (block, Hidden(0));

        private static ulong Hidden(ulong address) => address;
    }
}
