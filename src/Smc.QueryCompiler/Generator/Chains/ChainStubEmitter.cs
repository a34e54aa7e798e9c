using Microsoft.CodeAnalysis.CSharp;
using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Writes the interceptor of an inline chain: it reads what the recorded query captured and calls the kernel. When something is not as it was compiled
/// for, the call goes where it would have gone.
/// </summary>
internal static class ChainStubEmitter
{
    private const string CapturedValues = "global::Smc.Collections.Kernels.CapturedValues";

    public static void Emit(Stub stub, ChainSignature chain, int number, CodeWriter writer)
    {
        string arguments = string.Join(", ", Arguments(chain));
        string lambdas = string.Concat(chain.ParameterTypes.Select((type, i) => IsLambda(type) ? ", argument" + i : ""));
        string call = $"{chain.Call}{arguments})";
        EmitHeader(stub.Site.DisplayLocation, stub.Site.AttributeText, writer);
        using (writer.Open(Declaration(chain, "Chain", number)))
        {
            writer.Line($"{CapturedValues} captured = {CapturedValues}.Of(query{lambdas});");
            writer.Line("using var options = captured.Use();");
            if (chain.IsChange)
            {
                StubKernel found = stub.Kernels[0];
                EmitChange(TestsOf(found), Call(found, chain), call, chain, found.Raises, writer);
                return;
            }

            foreach (StubKernel kernel in stub.Kernels)
            {
                if (chain.IsExplanation)
                {
                    writer.Line($"if (captured.Has(\"{kernel.Chain!.Operators}\"))").Line($"    return {CapturedValues}.Explain(query, {SymbolDisplay.FormatLiteral(kernel.Explanation, quote: true)});");
                    continue;
                }

                // Variables of its tests are its own.
                using (writer.Open(""))
                    KernelChoice.EmitKernel(TestsOf(kernel), ResultOf(kernel, chain), kernel.Raises, writer);
            }

            writer.Line($"return {call};");
        }
    }

    /// <summary>The interceptors that mark parts of queries, each numbered from 0.</summary>
    public static void EmitMarks(IEnumerable<MarkedCall> parts, CodeWriter writer)
    {
        int number = 0;
        foreach (MarkedCall part in parts)
        {
            writer.Line();
            EmitHeader(part.DisplayLocation, part.AttributeText, writer);
            writer.Line($"{Declaration(part.Call, "Part", number++)} => {CapturedValues}.Mark({part.Call.Call}{string.Join(", ", Arguments(part.Call))}), \"{part.Mark}\");");
        }
    }

    private static void EmitHeader(string displayLocation, string attribute, CodeWriter writer)
    {
        writer.Line($"// {displayLocation}");
        writer.Line(attribute);
    }

    private static string Declaration(ChainSignature chain, string name, int number)
    {
        string parameters = string.Concat(chain.ParameterTypes.Zip(Arguments(chain), (type, argument) => $", {type} {argument}"));
        string generic = chain.TypeParameters.Count == 0 ? "" : $"<{string.Join(", ", chain.TypeParameters)}>";
        return $"internal static {chain.ReturnType} {name}{number}{generic}(this {chain.ReceiverType} query{parameters}){chain.Constraints}";
    }

    private static IEnumerable<string> Arguments(ChainSignature chain) => chain.ParameterTypes.Select((_, i) => "argument" + i);

    /// <summary>The tests that a recorded query is the one that a kernel was compiled for; they read what it captured.</summary>
    private static string TestsOf(StubKernel kernel) => string.Join(
        " && ", kernel.Chain!.Reads.Zip(kernel.Parameters, (read, parameter) => Test(read, parameter)).OfType<string>().Prepend($"captured.Has(\"{kernel.Chain.Operators}\")"));

    private static string Call(StubKernel kernel, ChainSignature chain) =>
        $"global::{GeneratedFile.Namespace}.{kernel.ClassName}.Run({string.Join(", ", kernel.Chain!.Reads.Zip(kernel.Parameters, (read, parameter) => Value(read, parameter, chain)))})";

    private static string ResultOf(StubKernel kernel, ChainSignature chain)
    {
        string call = Call(kernel, chain);
        if (kernel.ReturnsObject)
            return KernelChoice.ResultOf(call, chain.ReturnType);
        return chain.ReturnsOpenType ? $"({chain.ReturnType})(object){call}" : call;
    }

    /// <summary>The kernel finds the rows, the library changes them: what that raises is no matter of the query's.</summary>
    private static void EmitChange(string tests, string kernel, string call, ChainSignature chain, Raised raises, CodeWriter writer)
    {
        string rows = $"global::System.Collections.Generic.List<{chain.TypeParameters[0]}>";
        writer.Line($"{rows}? found = Find();");
        string update = string.Concat(Arguments(chain).Skip(1).Select(argument => ", " + argument));
        writer.Line($"return found is null ? {call} : {KernelApi.CollectionAccess}.{(chain.ParameterTypes.Count == 1 ? "Remove" : "Update")}(query, found{update});");
        writer.Line();
        using (writer.Open($"{rows}? Find()"))
            KernelChoice.EmitStatements(tests, $"({rows})(object){kernel}", "null", sources: null, raises, writer);
    }

    private static bool IsLambda(string type) => type.StartsWith("global::System.Linq.Expressions.Expression<", StringComparison.Ordinal);

    private static bool IsOwnArgument(string read) => read.StartsWith("argument", StringComparison.Ordinal);

    private static string? Test(string read, PlanParameter parameter) => IsOwnArgument(read) ? null : $"captured.{read}out {TypeOf(parameter)} value{parameter.Index})";

    private static string Value(string read, PlanParameter parameter, ChainSignature chain)
    {
        if (!IsOwnArgument(read))
            return "value" + parameter.Index;
        string declared = chain.ParameterTypes[int.Parse(read.Substring("argument".Length), System.Globalization.CultureInfo.InvariantCulture)];
        return declared == parameter.Type.Text ? read : $"global::System.Runtime.CompilerServices.Unsafe.As<{declared}, {parameter.Type.Text}>(ref {read})";
    }

    private static string TypeOf(PlanParameter parameter) => parameter.RowShape is { } row ? $"{KernelApi.Collection}<{row}>?" : parameter.Type.Text;
}
