using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Reports where a handle that may be null is converted to a <c>Nullable</c>, which then is not null. Handles that the method tests are not reported:
/// the analyzer looks at the text of one member and does not follow its branches.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class NullHandleAnalyzer : DiagnosticAnalyzer
{
    private const string DefaultIfEmpty = "DefaultIfEmpty";

    /// <summary>Methods that return <c>default</c> where there is no element.</summary>
    private static readonly HashSet<string> s_orDefault = new(StringComparer.Ordinal)
    {
        "FirstOrDefault", "LastOrDefault", "SingleOrDefault", "ElementAtOrDefault", "GetValueOrDefault",
    };

    /// <summary>Methods that return an element of a sequence.</summary>
    private static readonly HashSet<string> s_elements = new(StringComparer.Ordinal) { "First", "Last", "Single", "ElementAt", "MinBy", "MaxBy", "Min", "Max" };

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [TabularRules.NullHandleAsNullable];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterOperationAction(Check, OperationKind.Conversion);
    }

    private static void Check(OperationAnalysisContext context)
    {
        IConversionOperation conversion = (IConversionOperation)context.Operation;
        if (conversion.OperatorMethod is null && conversion.Type is { } type && PlanTypeReader.NullableUnderlying(type) is { } row && PlanTypeReader.IsTabular(row)
            && SymbolEqualityComparer.Default.Equals(conversion.Operand.Type, row) && !IsStored(conversion) && NullSource(conversion.Operand, followsLocals: true) is { } source)
        {
            context.ReportDiagnostic(Diagnostic.Create(
                TabularRules.NullHandleAsNullable, conversion.Operand.Syntax.GetLocation(), source, type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat)));
        }
    }

    /// <summary>Whether the value goes into a row: a column holds null and the null handle alike.</summary>
    private static bool IsStored(IConversionOperation conversion) => conversion.Parent switch
    {
        ISimpleAssignmentOperation { Target: IPropertyReferenceOperation target } => IsStoredProperty(target.Property),
        IConversionOperation { OperatorMethod.ContainingType: { Name: "Optional", ContainingNamespace: { Name: "Collections", ContainingNamespace.Name: "Smc" } } } => true,
        IArgumentOperation { Parent: IInvocationOperation { TargetMethod: { Name: "Add", Parameters: { Length: > 0 } parameters } } } =>
            parameters[0].Type is INamedTypeSymbol { Name: "Collection", TypeArguments.Length: 1 } rows && PlanTypeReader.IsTabular(rows.TypeArguments[0]),
        _ => false,
    };

    /// <summary>What the null handle may come from, as the user calls it; null when the handle comes from something else or is tested.</summary>
    private static string? NullSource(IOperation value, bool followsLocals) => value switch
    {
        IParenthesizedOperation inner => NullSource(inner.Operand, followsLocals),
        IDefaultValueOperation => value.Syntax.ToString(),
        IConversionOperation { OperatorMethod.Parameters: { Length: 1 } parameters } when parameters[0].Type.Name == "NoRow" => "null",
        IConditionalOperation { WhenFalse: { } whenFalse } choice => NullSource(choice.WhenTrue, followsLocals) ?? NullSource(whenFalse, followsLocals),
        ISwitchExpressionOperation choice => choice.Arms.Select(arm => NullSource(arm.Value, followsLocals)).FirstOrDefault(source => source is not null),
        ICoalesceOperation coalesce => NullSource(coalesce.WhenNull, followsLocals),
        IInvocationOperation call => NullSource(call, followsLocals),
        IPropertyReferenceOperation { Instance: not null } property when IsStoredProperty(property.Property) && !IsTested(property) => property.Property.Name,
        ILocalReferenceOperation local when followsLocals && !IsTested(local) => NullSource(local),
        IParameterReferenceOperation parameter when IsMissingElement(parameter) && !IsTested(parameter) => parameter.Parameter.Name,
        _ => null,
    };

    private static string? NullSource(IInvocationOperation call, bool followsLocals)
    {
        if (s_orDefault.Contains(call.TargetMethod.Name))
        {
            IArgumentOperation? fallback = call.Arguments.FirstOrDefault(a => a.Parameter?.Name == "defaultValue");
            return fallback is null ? call.TargetMethod.Name : NullSource(fallback.Value, followsLocals);
        }

        return s_elements.Contains(call.TargetMethod.Name) && IsDefaultIfEmpty(SourceOf(call)) ? DefaultIfEmpty : null;
    }

    /// <summary>A local has what it is given anywhere in its member.</summary>
    private static string? NullSource(ILocalReferenceOperation local) => Root(local).Descendants()
        .Select(operation => operation switch
        {
            IVariableDeclaratorOperation declarator when IsSame(declarator.Symbol, local.Local) => declarator.GetVariableInitializer()?.Value,
            ISimpleAssignmentOperation { Target: ILocalReferenceOperation target } assignment when IsSame(target.Local, local.Local) => assignment.Value,
            _ => null,
        })
        .Select(value => value is null ? null : NullSource(value, followsLocals: false))
        .FirstOrDefault(source => source is not null);

    /// <summary>Whether the parameter of a lambda is the null handle where a join, or a sequence with <c>DefaultIfEmpty()</c>, has no element.</summary>
    private static bool IsMissingElement(IParameterReferenceOperation parameter)
    {
        IOperation? lambda = parameter;
        while (lambda is not null && !(lambda is IAnonymousFunctionOperation { Symbol: var symbol } && IsSame(symbol, parameter.Parameter.ContainingSymbol)))
            lambda = lambda.Parent;
        IOperation? argument = lambda;
        while (argument is not null and not IArgumentOperation)
            argument = argument.Parent;
        if (argument is not IArgumentOperation { Parent: IInvocationOperation call } given)
            return false;
        return (call.TargetMethod.Name, given.Parameter?.Name, parameter.Parameter.Ordinal) switch
        {
            ("LeftJoin", "resultSelector", 1) or ("RightJoin", "resultSelector", 0) => true,
            ("SelectMany", "resultSelector", 1) => call.Arguments.Any(a => a.Parameter?.Name == "collectionSelector" && a.Value.Descendants().OfType<IReturnOperation>().Any(r => IsDefaultIfEmpty(r.ReturnedValue))),
            (_, _, 0) => IsDefaultIfEmpty(SourceOf(call)),
            _ => false,
        };
    }

    private static IOperation? SourceOf(IInvocationOperation call) => call.Instance ?? call.Arguments.FirstOrDefault()?.Value;

    private static bool IsDefaultIfEmpty(IOperation? sequence)
    {
        while (sequence is IConversionOperation conversion)
            sequence = conversion.Operand;
        return sequence is IInvocationOperation { TargetMethod: { Name: DefaultIfEmpty } method } && method.Parameters.All(p => p.Name != "defaultValue");
    }

    /// <summary>Whether the member asks anywhere whether the same expression is null or alive.</summary>
    private static bool IsTested(IOperation handle) => Root(handle).Descendants().Any(other =>
        other.Kind == handle.Kind && SyntaxFactory.AreEquivalent(other.Syntax, handle.Syntax) && other.Parent switch
        {
            IPropertyReferenceOperation { Property.Name: "IsNull" or "IsAlive" } => true,
            IInvocationOperation { TargetMethod.Name: "TryRead" } => true,
            IBinaryOperation { OperatorKind: BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals } => true,
            IIsPatternOperation => true,
            _ => false,
        });

    private static IOperation Root(IOperation operation)
    {
        while (operation.Parent is { } parent)
            operation = parent;
        return operation;
    }

    private static bool IsStoredProperty(IPropertySymbol property) => PlanTypeReader.IsTabular(property.ContainingType)
        && (property.IsPartialDefinition || property.PartialDefinitionPart is not null || property.GetAttributes().Any(a => a.AttributeClass?.Name == "StoredColumnAttribute"));

    private static bool IsSame(ISymbol left, ISymbol right) => SymbolEqualityComparer.Default.Equals(left, right);
}
