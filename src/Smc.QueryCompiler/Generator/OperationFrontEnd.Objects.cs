using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Translation;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Anonymous objects, tuples, constructed objects and collections written in place, and which of their members give back what was put in.</summary>
internal sealed partial class OperationFrontEnd
{
    private NewNode ReadAnonymous(IAnonymousObjectCreationOperation creation)
    {
        List<NewInitializer> members = [];
        foreach (ISimpleAssignmentOperation assignment in creation.Initializers.OfType<ISimpleAssignmentOperation>())
            members.Add(new NewInitializer(TabularNames.Escape(((IPropertyReferenceOperation)assignment.Target).Property.Name), Read(assignment.Value), IsPlain: true));
        return new NewNode(TypeOf(creation), [], members) { Where = creation.Syntax };
    }

    private NewNode ReadTuple(ITupleOperation tuple, ITypeSymbol? type)
    {
        List<NewArgument> elements = [];
        for (int i = 0; i < tuple.Elements.Length; i++)
        {
            QueryNode element = Read(tuple.Elements[i]);
            if (type is INamedTypeSymbol { IsTupleType: true } target && TypeOf(target.TupleElements[i].Type, tuple.Syntax) is var wanted && wanted != element.Type)
                element = new ConvertNode(wanted, element) { Where = tuple.Elements[i].Syntax };
            elements.Add(new NewArgument(element, TupleMember(i)));
        }

        return new NewNode(type is null ? TypeOf(tuple) : TypeOf(type, tuple.Syntax), elements, []) { Where = tuple.Syntax };
    }

    private static string TupleMember(int index) => "Item" + (index + 1).ToString(System.Globalization.CultureInfo.InvariantCulture);

    private QueryNode ReadCreation(IObjectCreationOperation creation)
    {
        PlanType type = TypeOf(creation);
        if (type.Kind == TypeKind.Tabular)
            throw Rejected($"a new {type}: rows are made by collections", creation.Syntax);
        if (creation.Constructor is { } constructor)
            RequireAccessible(constructor, creation.Syntax);
        INamedTypeSymbol created = (INamedTypeSymbol)creation.Type!;
        List<QueryNode> values = [.. OrderedArguments(creation.Arguments, creation.Syntax).Select(Read)];
        List<NewArgument> arguments = [.. values.Select((value, i) => new NewArgument(value, MemberOfParameter(created, creation.Constructor, i)))];
        bool isOfItsArguments = creation is { Initializer: null, Constructor: { } made } && IsRecordOf(created, made);
        return Typed(new NewNode(type, arguments, [.. ReadInitializers(creation, created)]) { IsRecordOfItsArguments = isOfItsArguments }, created, creation.Syntax);
    }

    private IEnumerable<NewInitializer> ReadInitializers(IObjectCreationOperation creation, INamedTypeSymbol type)
    {
        foreach (IOperation initializer in creation.Initializer?.Initializers ?? [])
        {
            if (initializer is not ISimpleAssignmentOperation { Target: IMemberReferenceOperation { Instance: IInstanceReferenceOperation } target } assignment)
                throw Rejected("an initialiser that is not a plain assignment", initializer.Syntax);
            RequireAccessible(target.Member, initializer.Syntax);
            if (target.Member is IPropertySymbol { SetMethod: { } set })
                RequireAccessible(set, initializer.Syntax);
            yield return new NewInitializer(TabularNames.Escape(target.Member.Name), Read(assignment.Value), IsPlainMember(type, target.Member.Name));
        }
    }

    /// <summary>The member that a constructor's argument goes to unchanged: known of the primary constructors of records, of tuples and of pairs.</summary>
    private static string? MemberOfParameter(INamedTypeSymbol type, IMethodSymbol? constructor, int index)
    {
        if (constructor is null || index >= constructor.Parameters.Length)
            return null;
        if (type.IsTupleType)
            return TupleMember(index);
        string name = constructor.Parameters[index].Name;
        if (type is { Name: "KeyValuePair", ContainingNamespace: { Name: "Generic", ContainingNamespace: { Name: "Collections", ContainingNamespace.Name: "System" } } })
            return name == "key" ? "Key" : "Value";
        bool isPositional = IsPrimary(constructor)
            && type.GetMembers(name).OfType<IPropertySymbol>().Any(p => p.DeclaringSyntaxReferences.Any(r => r.GetSyntax() is ParameterSyntax));
        return isPositional ? name : null;
    }

    /// <summary>Only the primary constructor of a record puts its arguments into properties unchanged.</summary>
    private static bool IsPrimary(IMethodSymbol constructor) => constructor.DeclaringSyntaxReferences.Any(r => r.GetSyntax() is RecordDeclarationSyntax);

    /// <summary>Whether all that a record holds is what its primary constructor gets, and nobody wrote another equality for it.</summary>
    private static bool IsRecordOf(INamedTypeSymbol type, IMethodSymbol constructor) => type.IsRecord && IsPrimary(constructor)
        && type.BaseType?.SpecialType is SpecialType.System_Object or SpecialType.System_ValueType
        && type.GetMembers().OfType<IFieldSymbol>().Count(f => !f.IsStatic) == constructor.Parameters.Length
        && constructor.Parameters.Select((_, i) => MemberOfParameter(type, constructor, i)).All(member => member is not null && IsPlainMember(type, member))
        && type.GetMembers().OfType<IMethodSymbol>().All(m => m.IsImplicitlyDeclared || m.Name is not ("Equals" or "GetHashCode"));

    private static bool IsPlainMember(INamedTypeSymbol type, string name) => type.GetMembers(name).FirstOrDefault() switch
    {
        IFieldSymbol => true,
        IPropertySymbol property => type.GetMembers().OfType<IFieldSymbol>().Any(f => SymbolEqualityComparer.Default.Equals(f.AssociatedSymbol, property))
            && !property.DeclaringSyntaxReferences.Any(r => r.GetSyntax() is PropertyDeclarationSyntax { AccessorList: { } list } && list.Accessors.Any(a => a.Body is not null || a.ExpressionBody is not null)),
        _ => false,
    };

    private QueryNode ReadElements(IOperation operation, IReadOnlyList<IOperation> elements) =>
        Typed(new ElementsNode(TypeOf(operation), [.. elements.Select(Read)]), operation.Type!, operation.Syntax);
}
