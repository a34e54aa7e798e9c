using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Recording;
using Smc.QueryCompiler.Translation;
using Raised = Smc.Collections.Kernels.Raised;

namespace Smc.QueryCompiler.Compilation;

/// <summary>A query with a kernel that counts.</summary>
internal sealed class AnalyzedRun
{
    private readonly QueryPlan _plan;
    private readonly object?[] _values;
    private readonly OperatorNumbers _numbers;
    private readonly PhysicalPlan _physical;
    private readonly LoadedKernel _kernel;

    /// <summary>Compiles the kernel.</summary>
    /// <exception cref="QueryNotTranslatableException">The query has none.</exception>
    public AnalyzedRun(RecordedReading reading)
    {
        (QueryPlan plan, IReadOnlyCollection<Type> types) = CompiledQuery.Plan(reading);
        _plan = PlanOptimizer.Optimize(plan);
        _values = reading.Values;
        if (KernelEmitter.TryExplainUnsupported(_plan) is { } reason)
            throw new QueryNotTranslatableException(reason, reading.Call);
        if (_values.Any(value => value is IRecordedQuery rows && !CollectionAccess.CanScan(rows)))
            throw new QueryNotTranslatableException("it reads a collection for an AddRange into this collection, and does not see the rows that are added", reading.Call);
        _numbers = new OperatorNumbers(_plan);
        Kernel kernel = KernelEmitter.EmitAnalyzed(_plan, _numbers);
        _physical = kernel.Physical;
        _kernel = KernelCompiler.Compile(kernel, types);
    }

    /// <summary>Runs it and says what it did.</summary>
    public string Explain()
    {
        KernelProfile profile;
        try
        {
            if (Purity.CanRunAgain(_plan.Root))
                _kernel.Run(_values);
            profile = KernelProfile.Of(() => _kernel.Run(_values));
        }
        catch (Exception exception) when (KernelFailure.IsLeftToQuery(exception, (Raised)_plan.Raises))
        {
            return $"LINQ to Objects: it raised an exception, and the query decides what is raised ({exception.GetType().Name}: {exception.Message})";
        }

        return $"{Header(profile)}\n{PlanPrinter.Print(Ran(profile) with { OtherSides = EquatableArray<OtherSide>.Empty }, node => Notes(node, profile))}";
    }

    private static string Header(KernelProfile profile) =>
        $"ran in {KernelProfile.Milliseconds(profile.Time)} on one thread, counting{(profile.GivenUp == 0 ? "" : "; the fast variant gave up, and the result is that of the plain one, or of the fast one again, without look-ups in indexes")}";

    /// <summary>The form of the plan that gave the result.</summary>
    private QueryPlan Ran(KernelProfile profile)
    {
        QueryPlan[] forms = [_plan, .. _plan.OtherSides.Select(other => other.Plan), _plan.Plain ?? _plan];
        return Array.Find(forms, form => form.Root.SelfAndInputs().Any(node => _numbers.Of(node) is { } number && profile.Of(number).Any())) ?? _plan;
    }

    private IEnumerable<string> Notes(LogicalOperator node, KernelProfile profile) =>
        (_numbers.Of(node) is { } number ? profile.Of(number) : []).Concat(profile.GivenUp == 0 ? _physical.Describe(node) : []);
}
