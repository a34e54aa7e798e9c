using System.Reflection;
using System.Reflection.Emit;
using Smc.Collections.Kernels;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>
/// A kernel is as fast the first time as later. So what it calls in the library and has a loop must not wait for thirty calls until the runtime compiles it well.
/// </summary>
public sealed class OptimisedLoopsTests
{
    // What runs once for a query or a thread, or only when users load rows.
    private static readonly HashSet<string> s_oncePerQuery =
    [
        "BulkLoad`1", "CapturedValues", "CapturedVariables", "RowBatch", "RowTransfer`1", "PlainProperty`1", "TabularProperty`1", "KeyChange", "Buffers", "ScanTeam`3", "ReadSegment", "ScanSegment", "ParallelScan", "SnapshotScope",
        "UninterruptedGate", "WholeValue", "KernelProfile", "ScaledDecimal", "ScaledBound", "FirstRows", "IndexCost", "ComingKey", "Turns", "RowBuffer",
    ];

    // Lists and texts are read once for a query, too; growing is rare, and takes its time anyway.
    private static readonly HashSet<string> s_rare = ["ListedTexts.Of", "ListedNumbers`1.Of", "SortTexts.Ranks", "AskedKeys.Grow", "DistinctSet.Widen"];

    private static readonly Dictionary<short, OpCode> s_codes = typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static).Select(field => (OpCode)field.GetValue(null)!).ToDictionary(code => code.Value);

    [Fact]
    public void Loops_of_the_kernels_library_are_optimised_from_their_first_call()
    {
        const MethodImplAttributes Optimised = MethodImplAttributes.AggressiveOptimization | MethodImplAttributes.AggressiveInlining;
        const BindingFlags All = BindingFlags.DeclaredOnly | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance;
        IEnumerable<string> slow =
            from type in typeof(StableSort).Assembly.GetTypes()
            where type.Namespace == typeof(StableSort).Namespace && !type.Name.StartsWith('<') && !s_oncePerQuery.Contains(type.Name)
            from method in type.GetMethods(All)
            let name = $"{type.Name}.{method.Name}"
            where !s_rare.Contains(name) && (method.MethodImplementationFlags & Optimised) == 0 && HasLoop(method)
            select name;
        Assert.Empty(slow);
    }

    [Fact]
    public void A_loop_is_seen()
    {
        Assert.True(HasLoop(typeof(OptimisedLoopsTests).GetMethod(nameof(HasLoop), BindingFlags.NonPublic | BindingFlags.Static)!));
        Assert.False(HasLoop(typeof(OptimisedLoopsTests).GetMethod(nameof(A_loop_is_seen))!));
    }

    /// <summary>Whether some branch of a method goes back.</summary>
    private static bool HasLoop(MethodInfo method)
    {
        byte[] il = method.GetMethodBody()?.GetILAsByteArray() ?? [];
        for (int at = 0; at < il.Length;)
        {
            OpCode code = s_codes[il[at] == 0xFE ? (short)((0xFE << 8) | il[at + 1]) : il[at]];
            at += code.Size;
            int operand = code.OperandType switch
            {
                OperandType.InlineNone => 0,
                OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
                OperandType.InlineVar => 2,
                OperandType.InlineI8 or OperandType.InlineR => 8,
                OperandType.InlineSwitch => 4 + (4 * BitConverter.ToInt32(il, at)),
                _ => 4,
            };
            if ((code.OperandType == OperandType.ShortInlineBrTarget && (sbyte)il[at] < 0) || (code.OperandType == OperandType.InlineBrTarget && BitConverter.ToInt32(il, at) < 0))
                return true;
            at += operand;
        }

        return false;
    }
}
