using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>A part of a query in which an element goes from its source to a place where elements are collected, without stopping between.</summary>
/// <param name="Index">The position of the pipeline in the query; names what it owns.</param>
/// <param name="Source">Where elements come from.</param>
/// <param name="Steps">What elements pass on the way.</param>
/// <param name="Sink">Where they end.</param>
public sealed record Pipeline(int Index, PipelineSource Source, IReadOnlyList<PipelineStep> Steps, PipelineSink Sink);

/// <summary>Where the elements of a pipeline come from.</summary>
public abstract record PipelineSource;

/// <summary>The rows of a collection, block by block.</summary>
public sealed record ScanSource(Scan Scan) : PipelineSource;

/// <summary>The groups that an earlier pipeline made.</summary>
public sealed record GroupSource(int AggregatePipeline) : PipelineSource;

/// <summary>Elements that an earlier pipeline put in order; <paramref name="AggregatePipeline"/> made them when they are groups, else they are rows.</summary>
public sealed record OrderedSource(int OrderPipeline, int? AggregatePipeline, Scan? Scan) : PipelineSource;

/// <summary>What an element passes.</summary>
public abstract record PipelineStep;

/// <summary>Lets elements pass for which all conditions hold, tested in this order.</summary>
public sealed record FilterStep(IReadOnlyList<ScalarExpression> Conditions) : PipelineStep;

/// <summary>Lets the first elements pass and ends the pipeline after them.</summary>
public sealed record LimitStep(ScalarExpression Count) : PipelineStep;

/// <summary>Where the elements of a pipeline end.</summary>
public abstract record PipelineSink;

/// <summary>Groups and accumulators.</summary>
public sealed record AggregateSink(Aggregate Aggregate) : PipelineSink;

/// <summary>A sorted list of elements; only the first of them when there is a count.</summary>
public sealed record OrderSink(EquatableArray<OrderKey> Keys, ScalarExpression? Count) : PipelineSink;

/// <summary>The result of the query; <paramref name="Value"/> is null when only existence is asked for.</summary>
public sealed record ResultSink(ScalarExpression? Value) : PipelineSink;
