using System.Reflection;
using Smc.QueryCompiler.CodeGen;
using Xunit;

namespace Smc.QueryCompiler.Tests.CodeGen;

/// <summary>Short names in kernels that have a file of their own.</summary>
public sealed class LibraryNamesTests
{
    [Fact]
    public void A_name_of_the_library_is_short_and_one_of_the_user_is_whole() => Assert.Equal(
        "Read<global::Smc.Collections.Kernels.Mine>(Region.Size) + Math.Min(1, 2) + global::Smc.Memory.Regions.Region.Size",
        LibraryNames.Shorten("global::Smc.Collections.Kernels.KernelMemory.Read<global::Smc.Collections.Kernels.Mine>(global::Smc.Memory.Region.Size) + global::System.Math.Min(1, 2) + global::Smc.Memory.Regions.Region.Size"));

    [Theory]
    [InlineData("\"global::Smc.Memory.Region\"")]
    [InlineData("\"\\\"global::Smc.Memory.Region\"")]
    [InlineData("'\"' + \"global::Smc.Memory.Region\" + '\\''")]
    public void A_text_stays_as_it_is(string text) => Assert.Equal(text, LibraryNames.Shorten(text));

    [Fact]
    public void An_apostrophe_in_a_comment_begins_no_character() => Assert.Equal("// doesn't\nRegion a; // it's", LibraryNames.Shorten("// doesn't\nglobal::Smc.Memory.Region a; // it's"));

    [Fact]
    public void No_short_name_is_in_two_namespaces()
    {
        Assembly[] assemblies = [typeof(Smc.Collections.Collection<>).Assembly, typeof(Smc.Memory.MemoryManager).Assembly, typeof(List<>).Assembly, typeof(SortedSet<>).Assembly];
        ILookup<string, Type> types = assemblies.SelectMany(a => a.GetExportedTypes()).Where(t => !t.IsNested && LibraryNames.Namespaces.Contains(t.Namespace))
            .DistinctBy(t => (t.Namespace, Name(t))).ToLookup(Name);
        Assert.All(KernelApi.Members.Keys, name => Assert.Single(types[name[(name.LastIndexOf('.') + 1)..]]));

        static string Name(Type type) => type.Name.Split('`')[0];
    }
}
