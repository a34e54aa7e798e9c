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
        string[] arguments = [.. chain.ParameterTypes.Select((_, i) => "argument" + i)];
        string parameters = string.Concat(chain.ParameterTypes.Select((type, i) => $", {type} {arguments[i]}"));
        string generic = chain.TypeParameters.Count == 0 ? "" : $"<{string.Join(", ", chain.TypeParameters)}>";
        string lambdas = string.Concat(chain.ParameterTypes.Select((type, i) => IsLambda(type) ? ", " + arguments[i] : ""));

        writer.Line($"// {stub.Site.DisplayLocation}");
        writer.Line(stub.Site.AttributeText);
        using (writer.Open($"internal static {chain.ReturnType} Chain{number}{generic}(this {chain.ReceiverType} query{parameters}){chain.Constraints}"))
        {
            writer.Line($"{CapturedValues} captured = {CapturedValues}.Of(query{lambdas});");
            writer.Line("using var options = captured.Use();");
            IEnumerable<string> tests = chain.Reads.Zip(stub.Parameters, (read, parameter) => Test(read, parameter)).OfType<string>().Prepend($"captured.Has(\"{chain.Operators}\")");
            string values = string.Join(", ", chain.Reads.Zip(stub.Parameters, (read, parameter) => Value(read, parameter, chain)));
            string kernel = $"global::{GeneratedFile.Namespace}.{stub.KernelClass}.Run({values})";
            string call = $"{chain.Call}{string.Join(", ", arguments)})";
            if (chain.IsChange)
            {
                EmitChange(string.Join(" && ", tests), kernel, call, chain, stub.KernelRaises, writer);
                return;
            }

            if (stub.KernelReturnsObject)
                kernel = KernelChoice.ResultOf(kernel, chain.ReturnType);
            else if (chain.ReturnsOpenType)
                kernel = $"({chain.ReturnType})(object){kernel}";
            KernelChoice.EmitStatements(string.Join(" && ", tests), kernel, call, sources: null, stub.KernelRaises, writer);
        }
    }

    /// <summary>The kernel finds the rows, the library changes them: what that raises is no matter of the query's.</summary>
    private static void EmitChange(string tests, string kernel, string call, ChainSignature chain, Raised raises, CodeWriter writer)
    {
        string rows = $"global::System.Collections.Generic.List<{chain.TypeParameters[0]}>";
        writer.Line($"{rows}? found = Find();");
        string update = string.Concat(chain.ParameterTypes.Select((_, i) => i == 0 ? "" : ", argument" + i));
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
