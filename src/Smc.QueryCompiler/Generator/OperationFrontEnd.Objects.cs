using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Anonymous objects, tuples and constructed objects: taken apart where they are intermediate, built where they are the result.</summary>
internal sealed partial class OperationFrontEnd
{
    private ObjectValue ReadAnonymous(IAnonymousObjectCreationOperation creation)
    {
        List<KeyValuePair<string, SymbolicValue>> members = [];
        foreach (ISimpleAssignmentOperation assignment in creation.Initializers.OfType<ISimpleAssignmentOperation>())
            members.Add(new(((IPropertyReferenceOperation)assignment.Target).Property.Name, Read(assignment.Value)));
        return new ObjectValue(PlanTypeReader.Read(creation.Type!), members, [], members);
    }

    private ObjectValue ReadTuple(ITupleOperation tuple)
    {
        List<KeyValuePair<string, SymbolicValue>> members = [];
        for (int i = 0; i < tuple.Elements.Length; i++)
            members.Add(new(TupleMember(i), Read(tuple.Elements[i])));
        return new ObjectValue(TypeOf(tuple), members, [.. members.Select(m => m.Value)], []);
    }

    private static string TupleMember(int index) => "Item" + (index + 1).ToString(System.Globalization.CultureInfo.InvariantCulture);

    private SymbolicValue ReadCreation(IObjectCreationOperation creation)
    {
        PlanType type = TypeOf(creation);
        if (type.Kind == TypeKind.Tabular)
            throw Rejected($"a new {type}: rows are made by collections", creation.Syntax);
        if (creation.Constructor is { } constructor)
            RequireAccessible(constructor, creation.Syntax);
        List<SymbolicValue> arguments = [.. OrderedArguments(creation.Arguments, creation.Syntax).Select(Read)];
        List<KeyValuePair<string, SymbolicValue>> initializers = [.. ReadInitializers(creation)];
        return new ObjectValue(type, KnownMembers(creation, arguments, initializers), arguments, initializers);
    }

    private IEnumerable<KeyValuePair<string, SymbolicValue>> ReadInitializers(IObjectCreationOperation creation)
    {
        foreach (IOperation initializer in creation.Initializer?.Initializers ?? [])
        {
            if (initializer is not ISimpleAssignmentOperation { Target: IMemberReferenceOperation { Instance: IInstanceReferenceOperation } target } assignment)
                throw Rejected("an initialiser that is not a plain assignment", initializer.Syntax);
            RequireAccessible(target.Member, initializer.Syntax);
            yield return new(target.Member.Name, Read(assignment.Value));
        }
    }

    /// <summary>Members whose values follow from the construction: parameters of a record's primary constructor, and assigned automatic properties and fields.</summary>
    private static List<KeyValuePair<string, SymbolicValue>> KnownMembers(
        IObjectCreationOperation creation,
        List<SymbolicValue> arguments,
        List<KeyValuePair<string, SymbolicValue>> initializers)
    {
        INamedTypeSymbol type = (INamedTypeSymbol)creation.Type!;
        List<KeyValuePair<string, SymbolicValue>> members = [];
        foreach (KeyValuePair<string, SymbolicValue> assigned in initializers.Where(i => IsPlainMember(type, i.Key)))
            members.Add(assigned);
        IReadOnlyList<IParameterSymbol> parameters = IsPrimary(creation.Constructor) ? creation.Constructor!.Parameters : [];
        for (int i = 0; i < arguments.Count && i < parameters.Count; i++)
        {
            string name = parameters[i].Name;
            bool isPositional = type.GetMembers(name).OfType<IPropertySymbol>()
                .Any(p => p.DeclaringSyntaxReferences.Any(r => r.GetSyntax() is ParameterSyntax));
            if (isPositional && members.All(m => m.Key != name))
                members.Add(new(name, arguments[i]));
        }

        return members;
    }

    /// <summary>Only the primary constructor of a record puts its arguments into properties unchanged.</summary>
    private static bool IsPrimary(IMethodSymbol? constructor) =>
        constructor is not null && constructor.DeclaringSyntaxReferences.Any(r => r.GetSyntax() is RecordDeclarationSyntax);

    private static bool IsPlainMember(INamedTypeSymbol type, string name) => type.GetMembers(name).FirstOrDefault() switch
    {
        IFieldSymbol => true,
        IPropertySymbol property => type.GetMembers().OfType<IFieldSymbol>().Any(f => SymbolEqualityComparer.Default.Equals(f.AssociatedSymbol, property))
            && !property.DeclaringSyntaxReferences.Any(r => r.GetSyntax() is PropertyDeclarationSyntax { AccessorList: { } list } && list.Accessors.Any(a => a.Body is not null || a.ExpressionBody is not null)),
        _ => false,
    };

    /// <summary>The expression that builds a value which is part of the result.</summary>
    private ScalarExpression Materialize(SymbolicValue value, SyntaxNode where) => value switch
    {
        ScalarValue scalar => scalar.Expression,
        ObjectValue created => new New(
            created.Type,
            created.Arguments.Select(a => Materialize(a, where)).ToEquatableArray(),
            created.Initializers.Select(i => new MemberInitializer(TabularNames.Escape(i.Key), Materialize(i.Value, where))).ToEquatableArray()),
        GroupValue or GroupElements => throw Rejected("a whole group is part of the result: take its key or aggregate it", where),
        SequenceValue => throw Rejected("a sequence is part of the result", where),
        _ => AsScalar(value, where),
    };
}
