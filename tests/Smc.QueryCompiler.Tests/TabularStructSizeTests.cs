using System.Reflection;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.Generator;
using Xunit;

namespace Smc.QueryCompiler.Tests;

/// <summary>The size that the compiler works out of a struct is the one that the runtime gives it.</summary>
public sealed class TabularStructSizeTests
{
    private const string Structs = """
        using System; using System.Runtime.CompilerServices; using System.Runtime.InteropServices;
        public struct OneByte { public byte A; }
        public struct Empty { }
        public struct Mixed { public byte A; public double B; public short C; }
        public struct Nested { public OneByte A; public Mixed B; public int C; }
        public struct WithEnum { public DayOfWeek A; public bool B; public char C; }
        public struct Wide { public Int128 A; public byte B; }
        public struct Money { public decimal Amount; public int Currency; }
        public struct Ids { public Guid A; public byte B; }
        [StructLayout(LayoutKind.Sequential, Pack = 1)] public struct Packed { public byte A; public double B; }
        [StructLayout(LayoutKind.Sequential, Size = 40)] public struct Sized { public int A; }
        [StructLayout(LayoutKind.Explicit)] public struct Union { [FieldOffset(0)] public long A; [FieldOffset(4)] public long B; [FieldOffset(0)] public byte C; }
        [InlineArray(7)] public struct Seven { private int _first; }
        public struct Generic<T> where T : unmanaged { public T A; public byte B; }
        public struct Closed { public Generic<long> A; public Generic<byte> B; }
        public struct Times { public DateOnly A; public TimeOnly B; public Half C; }
        """;

    [Theory]
    [InlineData("OneByte")]
    [InlineData("Empty")]
    [InlineData("Mixed")]
    [InlineData("Nested")]
    [InlineData("WithEnum")]
    [InlineData("Wide")]
    [InlineData("Money")]
    [InlineData("Ids")]
    [InlineData("Packed")]
    [InlineData("Sized")]
    [InlineData("Union")]
    [InlineData("Seven")]
    [InlineData("Closed")]
    [InlineData("Times")]
    public void Sizes_agree(string name)
    {
        TabularCompilation compilation = TabularCompilation.Of(Structs);
        using MemoryStream stream = new();
        Assert.True(compilation.Output.Emit(stream, cancellationToken: TestContext.Current.CancellationToken).Success);
        Type type = Assembly.Load(stream.ToArray()).GetType(name, throwOnError: true)!;
        int atRunTime = (int)typeof(Unsafe).GetMethod(nameof(Unsafe.SizeOf))!.MakeGenericMethod(type).Invoke(null, null)!;

        Assert.Equal(atRunTime, TabularStructSize.Measure(compilation.Before.GetTypeByMetadataName(name)!));
    }

    [Fact]
    public void A_struct_whose_fields_are_hidden_has_no_size()
    {
        TabularCompilation compilation = TabularCompilation.Of("class C;");

        Assert.Equal(0, TabularStructSize.Measure(compilation.Before.CreateErrorTypeSymbol(null, "Unknown", 0)));
    }
}
