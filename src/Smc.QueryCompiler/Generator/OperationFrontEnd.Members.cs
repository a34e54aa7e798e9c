using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Properties and fields: columns, keys, parts of intermediates, members of values.</summary>
internal sealed partial class OperationFrontEnd
{
    /// <summary>The rows whose members are being inlined, innermost last.</summary>
    private readonly Stack<SymbolicValue> _instances = new();

    private SymbolicValue ReadInstance(IInstanceReferenceOperation instance)
    {
        if (instance.ReferenceKind == InstanceReferenceKind.PatternInput)
            return _patternInputs.Peek();
        return _instances.Count > 0 ? _instances.Peek() : throw Rejected(RejectionKind.Captures, "this", instance.Syntax);
    }

    private SymbolicValue ReadProperty(IPropertyReferenceOperation reference)
    {
        IPropertySymbol property = reference.Property;
        if (reference.Instance is null)
            return new ScalarValue(ReadStatic(property, property.Type, reference.Syntax));
        if (reference.Arguments.Length > 0)
            throw Rejected("an indexer", reference.Syntax);
        RejectCapturedMember(reference);
        return ReadMember(Read(reference.Instance), property, property.Name, reference);
    }

    private SymbolicValue ReadField(IFieldReferenceOperation reference)
    {
        IFieldSymbol field = reference.Field;
        RejectCapturedMember(reference);
        if (reference.Instance is not null)
            return ReadMember(Read(reference.Instance), field, field.CorrespondingTupleField?.Name ?? field.Name, reference);
        if (!field.IsReadOnly && !field.IsConst)
            throw Rejected($"the static field {Display(field)} can change: pass its value as an argument", reference.Syntax);
        return new ScalarValue(ReadStatic(field, field.Type, reference.Syntax));
    }

    /// <summary>A member of the object around the query: the diagnostic names it rather than <c>this</c>.</summary>
    private void RejectCapturedMember(IMemberReferenceOperation reference)
    {
        if (_instances.Count == 0 && reference.Instance is IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.ContainingTypeInstance })
            throw Rejected(RejectionKind.Captures, reference.Member.Name, reference.Syntax);
    }

    private SymbolicValue ReadMember(SymbolicValue instance, ISymbol member, string name, IOperation where)
    {
        switch (instance)
        {
            case ObjectValue created:
                return created.Member(name) ?? throw Rejected($"{Display(member)}: what its constructor puts there is not known", where.Syntax);
            case GroupValue group when name == "Key":
                return group.Key;
            case SequenceValue sequence when name == "Count":
                return new ScalarValue(ReadAggregate(AggregateKind.Count, lambda: null, PlanType.Int32, ScalarGroup(sequence, where.Syntax), where.Syntax));
            case SequenceValue sequence when name == "LongCount":
                return new ScalarValue(ReadAggregate(AggregateKind.LongCount, lambda: null, PlanType.Int64, ScalarGroup(sequence, where.Syntax), where.Syntax));
            case ScalarValue { Expression: var value }:
                return ReadMemberOfValue(value, member, name, where);
            case TerminalValue { Terminal: Terminal.First or Terminal.Single } terminal:
                return terminal with { Sequence = terminal.Sequence with { Element = ReadMember(terminal.Sequence.Element, member, name, where) } };
            case TerminalValue terminal:
                throw Rejected($"{Display(member)} of the result of {terminal.Terminal}", where.Syntax);
            default:
                throw Rejected($"{Display(member)} of a sequence", where.Syntax);
        }
    }

    private SymbolicValue ReadMemberOfValue(ScalarExpression value, ISymbol member, string name, IOperation where)
    {
        if (value.Type is { Kind: TypeKind.Tabular, IsNullable: false } && member is IPropertySymbol { ContainingType: var rowType } property)
        {
            ColumnShape? column = RequireShape(rowType, where.Syntax).Columns.FirstOrDefault(c => c.Name == name);
            if (column is not null)
                return new ScalarValue(new ColumnRead(column.Type, value, name));
            if (name == "IsNull" && IsGenerated(property))
                return new ScalarValue(new Binary(PlanType.Boolean, BinaryOperator.Equal, value, NullRow(value.Type)));
            if (TryInline(property, value) is { } inlined)
                return inlined;
        }

        RequireAccessible(member, where.Syntax);
        PlanType type = TypeOf(where);
        // Nullable<T>.Value and HasValue keep the operand's kind, so the plan sees through them.
        return new ScalarValue(new MemberRead(type, value, TabularNames.Escape(name)));
    }

    private ScalarExpression ReadStatic(ISymbol member, ITypeSymbol type, SyntaxNode where)
    {
        RequireAccessible(member, where);
        RejectClock(member, where);
        PlanType planType = TypeOf(type, where);
        return new MemberRead(planType, Instance: null, QualifiedName(member, where));
    }

    /// <summary>Values that change between two readings: LINQ reads them per row, so no plan can stand for them.</summary>
    private static void RejectClock(ISymbol member, SyntaxNode where)
    {
        bool changes = (member.ContainingType.Name, member.Name) is
            ("DateTime" or "DateTimeOffset", "Now" or "UtcNow" or "Today")
            or ("Guid", "NewGuid" or "CreateVersion7")
            or ("Environment", "TickCount" or "TickCount64")
            or ("Random", _) or ("Stopwatch", _);
        if (changes)
            throw Rejected($"{Display(member)} changes between two readings: pass its value as an argument", where);
    }

    private string QualifiedName(ISymbol member, SyntaxNode where) => $"{TypeOf(member.ContainingType, where).CSharp}.{TabularNames.Escape(member.Name)}";

    private static bool IsGenerated(ISymbol symbol) =>
        symbol.DeclaringSyntaxReferences.All(r => r.SyntaxTree.FilePath.EndsWith(TabularTypeReader.GeneratedFileEnding, StringComparison.Ordinal));
}
