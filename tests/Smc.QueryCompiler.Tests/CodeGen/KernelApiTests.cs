using System.Reflection;
using Smc.QueryCompiler.CodeGen;
using Xunit;

namespace Smc.QueryCompiler.Tests.CodeGen;

/// <summary>The names that kernels use exist in the assemblies that users get.</summary>
public sealed class KernelApiTests
{
    private static readonly Assembly[] s_assemblies = [typeof(Smc.Collections.Collection<>).Assembly, typeof(Smc.Memory.MemoryManager).Assembly];

    public static TheoryData<string, string> Members()
    {
        TheoryData<string, string> members = [];
        foreach ((string type, string[] names) in KernelApi.Members)
        {
            foreach (string name in names)
                members.Add(type, name);
        }

        return members;
    }

    [Theory]
    [MemberData(nameof(Members))]
    public void A_member_that_kernels_call_is_public(string type, string member)
    {
        Type? found = Find(type);
        Assert.True(found is not null, type);
        Assert.True(found.IsPublic, type);
        Assert.True(found.GetMember(member, BindingFlags.Public | BindingFlags.Static | BindingFlags.Instance | BindingFlags.FlattenHierarchy).Length > 0, $"{type}.{member}");
    }

    [Fact]
    public void Every_type_that_is_named_is_listed_with_its_members()
    {
        IEnumerable<string> named = typeof(KernelApi).GetFields().Where(f => f.IsLiteral).Select(f => (string)f.GetRawConstantValue()!).Where(n => n.StartsWith("global::", StringComparison.Ordinal));
        Assert.All(named, name => Assert.NotNull(Find(name)));
    }

    [Fact]
    public void A_scan_orders_as_many_filters_as_there_is_room_for() => Assert.Equal(Smc.Collections.Kernels.FilterOrder.MostFilters, Smc.QueryCompiler.Physical.FilterSteps.MostOrdered);

    private static Type? Find(string name)
    {
        string plain = name.Replace("global::", "", StringComparison.Ordinal);
        return s_assemblies.Select(a => a.GetType(plain) ?? a.GetType(plain + "`1")).FirstOrDefault(t => t is not null);
    }
}
