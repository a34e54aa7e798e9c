using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Translation;

namespace Smc.QueryCompiler.FrontEnd;

/// <summary>Objects that a query makes: anonymous ones, tuples, records, and others with initialisers.</summary>
internal sealed partial class ExpressionFrontEnd
{
    private NewNode ReadNew(NewExpression creation)
    {
        PlanType type = TypeOf(creation.Type);
        if (AnonymousObject.Is(creation.Type))
        {
            return new NewNode(
                type, [], [.. creation.Members!.Zip(creation.Arguments, (member, value) => new NewInitializer(RuntimeTypes.Escape(PropertyName(member)), Read(value), IsPlain: true))]);
        }

        if (creation.Arguments.Count == 0 && creation.Type.IsValueType)
            return new NewNode(type, [], []);
        return new NewNode(type, ReadArguments(creation), []) { IsRecordOfItsArguments = creation.Constructor is { } constructor && IsRecordOf(creation.Type, constructor) };
    }

    /// <summary>Whether all that a record holds is what its constructor gets, and nobody wrote another equality for it.</summary>
    private static bool IsRecordOf(Type type, ConstructorInfo constructor) => IsRecord(type)
        && (type.BaseType == typeof(object) || type.BaseType == typeof(ValueType))
        && type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic).Length == constructor.GetParameters().Length
        && constructor.GetParameters().Select((p, i) => MemberOf(type, p, i)).All(member => member is not null)
        && type.GetMethods().Where(m => m.DeclaringType == type && m.Name is nameof(Equals) or nameof(GetHashCode)).All(m => m.IsDefined(typeof(CompilerGeneratedAttribute)));

    private static bool IsRecord(Type type) =>
        type.GetMethod("<Clone>$") is not null || type.GetMethod("PrintMembers", BindingFlags.Instance | BindingFlags.NonPublic) is not null;

    private NewNode ReadInitializers(MemberInitExpression creation)
    {
        IEnumerable<NewInitializer> initializers = creation.Bindings.Select(binding => binding is MemberAssignment assignment
            ? new NewInitializer(RuntimeTypes.Escape(assignment.Member.Name), Read(assignment.Expression), IsPlain(assignment.Member))
            : throw Rejected("an initialiser of a member of a member", creation));
        return new NewNode(TypeOf(creation.Type), ReadArguments(creation.NewExpression), [.. initializers]);
    }

    private NewArgument[] ReadArguments(NewExpression creation)
    {
        ParameterInfo[] parameters = creation.Constructor?.GetParameters() ?? [];
        return [.. creation.Arguments.Select((argument, i) => new NewArgument(Read(argument), MemberOf(creation.Type, parameters[i], i)))];
    }

    /// <summary>The member that holds an argument of a constructor: of tuples, pairs and positional records.</summary>
    private static string? MemberOf(Type type, ParameterInfo parameter, int position)
    {
        if (RuntimeTypes.IsTuple(type))
            return "Item" + (position + 1).ToString(System.Globalization.CultureInfo.InvariantCulture);
        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(KeyValuePair<,>))
            return position == 0 ? "Key" : "Value";
        return IsRecord(type) && type.GetProperty(parameter.Name!) is { } property && IsPlain(property) ? property.Name : null;
    }

    /// <summary>Whether reading the member gives what was assigned: a field, or a property that the compiler implemented.</summary>
    private static bool IsPlain(MemberInfo member) => member is FieldInfo
        || (member is PropertyInfo { GetMethod: { } getter } && getter.IsDefined(typeof(CompilerGeneratedAttribute)));

    private static string PropertyName(MemberInfo member) =>
        member is MethodInfo getter && getter.Name.StartsWith("get_", StringComparison.Ordinal) ? getter.Name[4..] : member.Name;
}
