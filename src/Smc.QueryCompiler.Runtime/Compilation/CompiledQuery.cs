using System.Diagnostics;
using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.FrontEnd;
using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Recording;
using Smc.QueryCompiler.Results;
using Smc.QueryCompiler.Translation;

namespace Smc.QueryCompiler.Compilation;

/// <summary>Everything between a recorded query and its kernel. Holds nothing of the query that it was made from.</summary>
internal sealed class CompiledQuery
{
    private readonly LoadedKernel? _kernel;
    private readonly Func<object?, object?> _convert;

    private CompiledQuery(LoadedKernel? kernel, Func<object?, object?> convert, Raised raises, string? rejection)
    {
        _kernel = kernel;
        _convert = convert;
        Raises = raises;
        Rejection = rejection;
    }

    /// <summary>Why there is no kernel, or null.</summary>
    public string? Rejection { get; }

    /// <summary>What the kernel can raise: if anything, LINQ to Objects decides what is raised.</summary>
    public Raised Raises { get; }

    /// <summary>Whether the kernel can raise an exception.</summary>
    public bool CanRaise => Raises != Raised.Nothing;

    public static CompiledQuery Compile(RecordedReading reading)
    {
        long start = Stopwatch.GetTimestamp();
        try
        {
            (QueryPlan plan, IReadOnlyCollection<Type> types) = Plan(reading);
            QueryPlan optimized = PlanOptimizer.Optimize(plan);
            if (KernelEmitter.TryExplainUnsupported(optimized) is { } reason)
                return Rejected(reason);
            LoadedKernel kernel = KernelCompiler.Compile(KernelEmitter.Emit(optimized), types);
            RuntimeQueryMeter.AddCompilation(Stopwatch.GetElapsedTime(start));
            return new CompiledQuery(kernel, ConversionTo(reading.Call.ResultType, kernel.ResultType), optimized.Raises, rejection: null);
        }
        catch (QueryNotTranslatableException rejected)
        {
            return Rejected(rejected.Message);
        }
        catch (KernelCompilationException failed)
        {
            return Rejected("its kernel does not compile: " + failed.Message);
        }
        catch (Exception fault) when (CompilerFailure.Is(fault))
        {
            return Rejected(CompilerFailure.Reason(fault));
        }
    }

    /// <summary>The plan of a query, before optimisation.</summary>
    /// <exception cref="QueryNotTranslatableException">It has none.</exception>
    public static (QueryPlan Plan, IReadOnlyCollection<Type> Types) Plan(RecordedReading reading)
    {
        if (!ResultConversion.Supports(reading.Call.ResultType))
            throw new QueryNotTranslatableException($"its result of type {reading.Call.ResultType} has a type without a name in it", reading.Call);
        (QueryTree tree, IReadOnlyCollection<Type> types) = ExpressionFrontEnd.Read(reading);
        return (QueryTranslator.Translate(tree), types);
    }

    public object? Run(object?[] values) => _convert(_kernel!.Run(values));

    private static CompiledQuery Rejected(string reason) => new(kernel: null, static result => result, Raised.Nothing, reason);

    /// <summary>Of a kernel that returns <c>object</c> the first result tells the type.</summary>
    private static Func<object?, object?> ConversionTo(Type wanted, Type declared)
    {
        if (wanted.IsAssignableFrom(declared) || declared != typeof(object))
            return static result => result;
        Func<object?, object?>? conversion = null;
        return result => result is null ? null : (conversion ??= ResultConversion.Between(result.GetType(), wanted))(result);
    }
}
