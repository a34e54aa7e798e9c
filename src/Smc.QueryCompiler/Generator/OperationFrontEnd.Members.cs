using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Translation;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Properties and fields: columns, inlined members, parts of intermediates, members of values.</summary>
internal sealed partial class OperationFrontEnd
{
    /// <summary>The rows whose members are being inlined, innermost last.</summary>
    private readonly Stack<QueryNode> _instances = new();

    private QueryNode ReadInstance(IInstanceReferenceOperation instance)
    {
        if (instance.ReferenceKind == InstanceReferenceKind.PatternInput)
            return _patternInputs.Peek();
        return _instances.Count > 0 ? _instances.Peek() : throw Captured("this", instance.Syntax);
    }

    private QueryNode ReadProperty(IPropertyReferenceOperation reference)
    {
        IPropertySymbol property = reference.Property;
        if (IsExtensionBlock(property.ContainingType))
            throw Rejected("a member of an extension block", reference.Syntax);
        if (reference.Instance is null)
            return ReadStatic(property, property.Type, reference.Syntax);
        RejectCapturedMember(reference);
        if (property.IsIndexer)
        {
            QueryNode indexed = Read(reference.Instance);
            List<QueryNode> arguments = [.. OrderedArguments(reference.Arguments, reference.Syntax).Select(Read)];
            QueryNode element = AccessTo(property, reference.Syntax) is { } access
                ? new CallNode(TypeOf(reference), QualifiedName(property), indexed, arguments) { Access = access }
                : new IndexerNode(TypeOf(reference), indexed, arguments);
            return Typed(element, property.Type, reference.Syntax);
        }

        return ReadMember(Read(reference.Instance), property, property.Name, reference);
    }

    private QueryNode ReadField(IFieldReferenceOperation reference)
    {
        IFieldSymbol field = reference.Field;
        RejectCapturedMember(reference);
        if (reference.Instance is not null)
            return ReadMember(Read(reference.Instance), field, field.CorrespondingTupleField?.Name ?? field.Name, reference);
        if (!field.IsReadOnly && !field.IsConst)
            throw Rejected($"the static field {Display(field)} can change: read it before the query, into a local variable or an argument of Query.Run", reference.Syntax);
        return ReadStatic(field, field.Type, reference.Syntax);
    }

    /// <summary>A member of the object around the query: the diagnostic names it rather than <c>this</c>.</summary>
    private void RejectCapturedMember(IMemberReferenceOperation reference)
    {
        if (_instances.Count == 0 && reference.Instance is IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.ContainingTypeInstance })
            throw Captured(reference.Member.Name, reference.Syntax);
    }

    /// <summary>A chain has no arguments that a value could be passed as: it may capture variables and fields.</summary>
    private QueryRejectedException Captured(string name, SyntaxNode where) => _captures is null
        ? Rejected(RejectionKind.Captures, name, where)
        : Rejected($"it captures '{name}', which is neither a variable nor a field: read what the query needs into a local variable before it", where);

    private QueryNode ReadMember(QueryNode instance, ISymbol member, string name, IOperation where)
    {
        if (instance.Type is { Kind: TypeKind.Tabular, IsNullable: false } && member is IPropertySymbol { ContainingType: var rowType } property)
        {
            ColumnShape? column = RequireShape(rowType, where.Syntax).Columns.FirstOrDefault(c => c.Name == name);
            if (column is not null)
                return Typed(new ColumnNode(column.Type, instance, name), property.Type, where.Syntax);
            if (TryInline(property, instance) is { } inlined)
                return inlined;
        }

        return Typed(new MemberNode(TypeOf(where), instance, TabularNames.Escape(name)) { Access = AccessTo(member, where.Syntax) }, where.Type!, where.Syntax);
    }

    private QueryNode ReadStatic(ISymbol member, ITypeSymbol type, SyntaxNode where) =>
        Typed(new MemberNode(TypeOf(type, where), Instance: null, QualifiedName(member)) { Access = AccessTo(member, where) }, type, where);

    private static string QualifiedName(ISymbol member) => $"{PlanTypeReader.Read(member.ContainingType).CSharp}.{TabularNames.Escape(member.Name)}";

    private static bool IsGenerated(ISymbol symbol) =>
        symbol.DeclaringSyntaxReferences.All(r => r.SyntaxTree.FilePath.EndsWith(TabularTypeReader.GeneratedFileEnding, StringComparison.Ordinal));
}
