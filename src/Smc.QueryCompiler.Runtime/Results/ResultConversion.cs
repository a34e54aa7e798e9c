using System.Linq.Expressions;
using System.Reflection;
using Smc.Collections.Kernels;
using Smc.QueryCompiler.FrontEnd;

namespace Smc.QueryCompiler.Results;

/// <summary>
/// Results with anonymous types in them. A kernel cannot name those of the user's assembly, so it makes its own, with the same members; here each
/// element of the result becomes one of the user's.
/// </summary>
internal static class ResultConversion
{
    private static readonly MethodInfo s_list = Method(nameof(List));
    private static readonly MethodInfo s_array = Method(nameof(Array));
    private static readonly MethodInfo s_set = Method(nameof(Set));
    private static readonly MethodInfo s_dictionary = Method(nameof(Dictionary));

    /// <summary>Whether results of a type can be converted, if they have to be.</summary>
    public static bool Supports(Type wanted)
    {
        if (RuntimeTypes.IsSpeakable(wanted))
            return true;
        if (wanted.IsArray)
            return wanted.IsSZArray && Supports(wanted.GetElementType()!);
        if (AnonymousObject.Is(wanted) || IsContainer(wanted) || RuntimeTypes.IsTuple(wanted) || Is(wanted, typeof(KeyValuePair<,>)))
            return wanted.GetGenericArguments().All(Supports);
        return false;
    }

    /// <summary>A function from what a kernel returns to what the caller gets.</summary>
    public static Func<object?, object?> Between(Type made, Type wanted)
    {
        if (wanted.IsAssignableFrom(made))
            return static result => result;
        ParameterExpression result = Expression.Parameter(typeof(object));
        return Expression.Lambda<Func<object?, object?>>(
            Expression.Convert(Convert(Expression.Convert(result, made), wanted), typeof(object)), result).Compile();
    }

    private static Expression Convert(Expression value, Type wanted)
    {
        Type made = value.Type;
        if (wanted.IsAssignableFrom(made))
            return value;
        if (wanted.IsSZArray)
            return Expression.Call(s_array.MakeGenericMethod(made.GetElementType()!, wanted.GetElementType()!), value, Element(made.GetElementType()!, wanted.GetElementType()!));
        if (IsContainer(wanted))
        {
            Type[] from = made.GetGenericArguments();
            Type[] to = wanted.GetGenericArguments();
            return to.Length == 2
                ? Expression.Call(s_dictionary.MakeGenericMethod(from[0], from[1], to[0], to[1]), value, Element(from[0], to[0]), Element(from[1], to[1]))
                : Expression.Call((Is(wanted, typeof(HashSet<>)) ? s_set : s_list).MakeGenericMethod(from[0], to[0]), value, Element(from[0], to[0]));
        }

        ParameterExpression once = Expression.Parameter(made);
        ConstructorInfo constructor = wanted.GetConstructors().Single(c => c.GetParameters().Length == wanted.GetGenericArguments().Length);
        Expression created = Expression.New(constructor, constructor.GetParameters().Select((p, i) => Convert(Member(once, p.Name!, i), p.ParameterType)));
        if (!made.IsValueType)
            created = Expression.Condition(Expression.ReferenceEqual(once, Expression.Constant(null)), Expression.Default(wanted), created);
        return Expression.Block(wanted, [once], Expression.Assign(once, value), created);
    }

    private static MemberExpression Member(Expression instance, string name, int position) => RuntimeTypes.IsTuple(instance.Type)
        ? Expression.Field(instance, position == 7 ? "Rest" : "Item" + (position + 1).ToString(System.Globalization.CultureInfo.InvariantCulture))
        : Expression.Property(instance, instance.Type.GetProperty(name) ?? instance.Type.GetProperty(char.ToUpperInvariant(name[0]) + name[1..])!);

    private static LambdaExpression Element(Type made, Type wanted)
    {
        ParameterExpression element = Expression.Parameter(made);
        return Expression.Lambda(typeof(Func<,>).MakeGenericType(made, wanted), Convert(element, wanted), element);
    }

    private static bool IsContainer(Type type) => Is(type, typeof(List<>)) || Is(type, typeof(HashSet<>)) || Is(type, typeof(Dictionary<,>));

    private static bool Is(Type type, Type definition) => type.IsGenericType && type.GetGenericTypeDefinition() == definition;

    private static MethodInfo Method(string name) => typeof(ResultConversion).GetMethod(name, BindingFlags.Static | BindingFlags.NonPublic)!;

    private static List<TTo> List<TFrom, TTo>(List<TFrom> made, Func<TFrom, TTo> convert)
    {
        List<TTo> result = new(made.Count);
        foreach (TFrom element in made)
            result.Add(convert(element));
        return result;
    }

    private static TTo[] Array<TFrom, TTo>(TFrom[] made, Func<TFrom, TTo> convert) => System.Array.ConvertAll(made, element => convert(element));

    private static HashSet<TTo> Set<TFrom, TTo>(HashSet<TFrom> made, Func<TFrom, TTo> convert) => [.. made.Select(convert)];

    private static Dictionary<TToKey, TToValue> Dictionary<TFromKey, TFromValue, TToKey, TToValue>(
        Dictionary<TFromKey, TFromValue> made, Func<TFromKey, TToKey> key, Func<TFromValue, TToValue> value)
        where TFromKey : notnull
        where TToKey : notnull =>
        made.ToDictionary(pair => key(pair.Key), pair => value(pair.Value), made.Comparer as IEqualityComparer<TToKey>);
}
