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
        return Typed(new NewNode(type, arguments, [.. ReadInitializers(creation.Initializer, created)]) { IsRecordOfItsArguments = isOfItsArguments }, created, creation.Syntax);
    }

    private WithNode ReadCopy(IWithOperation copy)
    {
        PlanType type = TypeOf(copy);
        if (type.Kind == TypeKind.Tabular)
            throw Rejected($"a {type} with other values: rows are changed by assignment", copy.Syntax);
        return Typed(new WithNode(type, Read(copy.Operand), [.. ReadInitializers(copy.Initializer, (INamedTypeSymbol)copy.Type!)]), copy.Type!, copy.Syntax);
    }

    private IEnumerable<NewInitializer> ReadInitializers(IObjectOrCollectionInitializerOperation? initializers, INamedTypeSymbol type)
    {
        foreach (IOperation initializer in initializers?.Initializers ?? [])
        {
            if (initializer is ISimpleAssignmentOperation { Target: IPropertyReferenceOperation { Property: { IsIndexer: true } indexer, Arguments: { Length: 1 } keys } } entry
                && keys[0].Value is { ConstantValue.HasValue: true } key)
            {
                RequireAccessible(indexer, initializer.Syntax);
                yield return new NewInitializer($"[{ConstantText.Of(key.ConstantValue.Value, key.Type!)}]", Read(entry.Value), IsPlain: false);
                continue;
            }

            if (initializer is not ISimpleAssignmentOperation { Target: IMemberReferenceOperation { Instance: IInstanceReferenceOperation } target } assignment || target.Member is IPropertySymbol { IsIndexer: true })
                throw Rejected("an initialiser that is not a plain assignment", initializer.Syntax);
            if (type.IsAnonymousType || type.IsTupleType)
            {
                yield return new NewInitializer(TabularNames.Escape((target.Member as IFieldSymbol)?.CorrespondingTupleField?.Name ?? target.Member.Name), Read(assignment.Value), IsPlain: true);
                continue;
            }

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

    private ElementsNode ReadElements(IOperation operation, IReadOnlyList<IOperation> elements)
    {
        RequireCollection(operation);
        return Typed(new ElementsNode(TypeOf(operation), [.. elements.Select(Read)]), operation.Type!, operation.Syntax);
    }

    /// <summary>Arrays, lists, sets, and what they are read through; other collections are made in ways of their own.</summary>
    private static void RequireCollection(IOperation operation)
    {
        bool isKnown = operation.Type is IArrayTypeSymbol { Rank: 1 } || IsListOrSet(operation.Type)
            || operation.Type is INamedTypeSymbol { TypeKind: Microsoft.CodeAnalysis.TypeKind.Interface, ContainingNamespace: { Name: "Generic", ContainingNamespace.Name: "Collections" } };
        if (!isKnown)
            throw Rejected($"a new {Display(operation.Type!)} of elements", operation.Syntax);
    }

    /// <summary><c>[a, .. more, b]</c>: elements and sequences one after the other.</summary>
    private LinqNode ReadSpreads(ICollectionExpressionOperation collection)
    {
        RequireCollection(collection);
        PlanType type = TypeOf(collection), element = ElementTypeOf(collection.Type!, collection.Syntax) ?? throw Rejected($"a new {Display(collection.Type!)} of elements", collection.Syntax);
        PlanType sequence = new(TypeKind.Class, $"global::System.Collections.Generic.IEnumerable<{element.Text}>");
        QueryNode all = collection.Elements.Select(Part).Aggregate((left, right) => Linq(sequence, "Concat", new LinqArgument("first", left), new LinqArgument("second", right)));
        return Linq(type, type.CSharp.EndsWith("[]", StringComparison.Ordinal) ? "ToArray" : type.CSharp.StartsWith("global::System.Collections.Generic.HashSet<", StringComparison.Ordinal) ? "ToHashSet" : "ToList", new LinqArgument("source", all));

        QueryNode Part(IOperation operation) => operation is ISpreadOperation spread
            ? spread.ElementConversion.IsIdentity && Read(spread.Operand) is { } value && value.ElementType == element
                ? value
                : throw Rejected($"the expression '{spread.Syntax}' whose elements are converted", spread.Syntax)
            : new ElementsNode(new PlanType(TypeKind.Class, element.Text + "[]"), [Read(operation)]) { ElementType = element, Where = operation.Syntax };

        LinqNode Linq(PlanType of, string name, params LinqArgument[] arguments) => new(of, name, arguments, [element]) { ElementType = element, Where = collection.Syntax };
    }
}
