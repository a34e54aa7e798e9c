using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;

namespace Smc.Data.Batches;

/// <summary>Finds the columns of a type of element. Types of values that have code of their own everywhere are known here one by one, so that nothing is compiled at run time for them.</summary>
internal static class ElementColumns
{
    /// <summary>What trimming has to leave of a type of element.</summary>
    public const DynamicallyAccessedMemberTypes Members = DynamicallyAccessedMemberTypes.PublicProperties | DynamicallyAccessedMemberTypes.PublicFields;

    /// <summary>The columns, in the order of declaration.</summary>
    /// <exception cref="NotSupportedException">The type has no public properties.</exception>
    public static ElementColumn<T>[] Of<[DynamicallyAccessedMembers(Members)] T>(int capacity)
    {
        if (IsValue(typeof(T)))
            return [Create<T>(new Member("Value", typeof(T), Getter: null, Get: null), capacity)];
        ElementColumn<T>[] columns = [.. MembersOf<T>().Select(member => Create<T>(member, capacity))];
        return columns.Length > 0 ? columns
            : throw new NotSupportedException($"{typeof(T).Name} has no public properties that could be columns.");
    }

    /// <summary>Whether values of a type fill one column.</summary>
    private static bool IsValue(Type type) =>
        Nullable.GetUnderlyingType(type) is { } value ? IsValue(value)
        : type.IsPrimitive || type.IsEnum || type == typeof(string) || type == typeof(byte[]) || type == typeof(object)
        || type == typeof(decimal) || type == typeof(Guid) || type == typeof(DateTime) || type == typeof(DateTimeOffset) || type == typeof(DateOnly)
        || type == typeof(TimeOnly) || type == typeof(TimeSpan) || type == typeof(Int128) || type == typeof(UInt128) || type == typeof(Half) || type == typeof(ReadOnlyMemory<byte>);

    private static IEnumerable<Member> MembersOf<[DynamicallyAccessedMembers(Members)] T>()
    {
        HashSet<string> names = [];
        foreach (PropertyInfo property in typeof(T).GetProperties(BindingFlags.Public | BindingFlags.Instance))
        {
            // A property that a derived type hides comes after the one that hides it.
            if (names.Add(property.Name) && property.GetMethod is { IsPublic: true } getter && property.GetIndexParameters().Length == 0 && !property.PropertyType.IsByRef && !property.PropertyType.IsByRefLike)
                yield return new Member(property.Name, property.PropertyType, getter, property.GetValue);
        }

        // The elements of tuples are fields.
        if (!typeof(T).IsValueType || !typeof(ITuple).IsAssignableFrom(typeof(T)))
            yield break;
        foreach (FieldInfo field in typeof(T).GetFields(BindingFlags.Public | BindingFlags.Instance))
        {
            if (field.Name != "Rest" || !typeof(ITuple).IsAssignableFrom(field.FieldType))
            {
                yield return new Member(field.Name, field.FieldType, Getter: null, field.GetValue);
                continue;
            }

            // The eighth element and those after it are in a tuple of their own.
            Type[] types = [.. TypesOf(field.FieldType)];
            for (int i = 0; i < types.Length; i++)
            {
                int place = 7 + i;
                yield return new Member($"Item{place + 1}", types[i], Getter: null, tuple => ((ITuple)tuple)[place]);
            }
        }
    }

    private static IEnumerable<Type> TypesOf(Type tuple)
    {
        Type[] types = tuple.GetGenericArguments();
        return types.Length == 8 ? types.Take(7).Concat(TypesOf(types[7])) : types;
    }

    private static ElementColumn<T> Create<T>(Member member, int capacity)
    {
        Type type = member.Type;
        return TryValue<T, long>(member, capacity)
            ?? TryValue<T, int>(member, capacity)
            ?? TryValue<T, decimal>(member, capacity)
            ?? TryValue<T, double>(member, capacity)
            ?? TryValue<T, bool>(member, capacity)
            ?? TryValue<T, DateOnly>(member, capacity)
            ?? TryValue<T, DateTime>(member, capacity)
            ?? TryValue<T, char>(member, capacity)
            ?? TryValue<T, Guid>(member, capacity)
            ?? TryValue<T, short>(member, capacity)
            ?? TryValue<T, byte>(member, capacity)
            ?? TryValue<T, sbyte>(member, capacity)
            ?? TryValue<T, ushort>(member, capacity)
            ?? TryValue<T, uint>(member, capacity)
            ?? TryValue<T, ulong>(member, capacity)
            ?? TryValue<T, Int128>(member, capacity)
            ?? TryValue<T, UInt128>(member, capacity)
            ?? TryValue<T, float>(member, capacity)
            ?? TryValue<T, Half>(member, capacity)
            ?? TryValue<T, TimeOnly>(member, capacity)
            ?? TryValue<T, TimeSpan>(member, capacity)
            ?? TryValue<T, DateTimeOffset>(member, capacity)
            ?? TryValue<T, ReadOnlyMemory<byte>>(member, capacity)
            ?? (type == typeof(string) ? Object<T, string>(member, capacity) : null)
            ?? (type == typeof(byte[]) ? Object<T, byte[]>(member, capacity) : null)
            ?? (RuntimeFeature.IsDynamicCodeSupported && type.IsValueType ? OtherStruct<T>(member, capacity) : null)
            ?? EnumAsInteger<T>(member, capacity)
            ?? new BoxedColumn<T, object?>(new ColumnBuffer<object?>(NullableTraits(member), capacity), Boxed(member));
    }

    private static ElementColumn<T>? TryValue<T, TValue>(Member member, int capacity)
        where TValue : struct
    {
        if (member.Type == typeof(TValue))
            return Column<T, TValue>(member, new ColumnBuffer<TValue>(new ColumnTraits(member.Name), capacity));
        return member.Type == typeof(TValue?) ? Column<T, TValue?>(member, new NullableColumnBuffer<TValue>(NullableTraits(member), capacity)) : null;
    }

    private static ElementColumn<T> Object<T, TValue>(Member member, int capacity)
        where TValue : class => Column<T, TValue?>(member, new ColumnBuffer<TValue?>(NullableTraits(member), capacity));

    /// <summary>Enums, rows and structs of a program's own.</summary>
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Called only where code can be made at run time.")]
    [UnconditionalSuppressMessage("Trimming", "IL2076", Justification = "The type is a value type, whose default constructor needs no code.")]
    [UnconditionalSuppressMessage("Trimming", "IL2060", Justification = "The method's type parameters have no requirements.")]
    private static ElementColumn<T> OtherStruct<T>(Member member, int capacity)
    {
        MethodInfo create = typeof(ElementColumns).GetMethod(nameof(TryValue), BindingFlags.NonPublic | BindingFlags.Static)!
            .MakeGenericMethod(typeof(T), Nullable.GetUnderlyingType(member.Type) ?? member.Type);
        return (ElementColumn<T>)create.Invoke(null, [member, capacity])!;
    }

    /// <summary>An enum where no code can be made for its type. Readers say that enums are their integers anyway.</summary>
    private static ElementColumn<T>? EnumAsInteger<T>(Member member, int capacity)
    {
        Type type = Nullable.GetUnderlyingType(member.Type) ?? member.Type;
        return !type.IsEnum ? null : Type.GetTypeCode(type) switch
        {
            TypeCode.SByte => Integer<T, sbyte>(member, capacity),
            TypeCode.Byte => Integer<T, byte>(member, capacity),
            TypeCode.Int16 => Integer<T, short>(member, capacity),
            TypeCode.UInt16 => Integer<T, ushort>(member, capacity),
            TypeCode.Int32 => Integer<T, int>(member, capacity),
            TypeCode.UInt32 => Integer<T, uint>(member, capacity),
            TypeCode.Int64 => Integer<T, long>(member, capacity),
            _ => Integer<T, ulong>(member, capacity),
        };
    }

    private static ElementColumn<T> Integer<T, TInteger>(Member member, int capacity)
        where TInteger : struct => member.Type.IsEnum
            ? new BoxedColumn<T, TInteger>(new ColumnBuffer<TInteger>(new ColumnTraits(member.Name), capacity), Boxed(member))
            : new NullableEnumColumn<T, TInteger>(new NullableColumnBuffer<TInteger>(NullableTraits(member), capacity), Boxed(member));

    private static ElementColumn<T> Column<T, TValue>(Member member, ColumnBuffer<TValue> buffer)
    {
        if (buffer is ColumnBuffer<T> itself && member.Get is null)
            return new ElementItself<T>(itself);
        if (member.Getter is null)
            return new BoxedColumn<T, TValue>(buffer, Boxed(member));
        return typeof(T).IsValueType ? new StructColumn<T, TValue>(buffer, member.Getter) : new ObjectColumn<T, TValue>(buffer, member.Getter);
    }

    private static Func<object, object?> Boxed(Member member) => member.Get ?? (static element => element);

    private static ColumnTraits NullableTraits(Member member) => new(member.Name) { IsNullable = true };

    /// <summary>A member that is a column; the element itself where both ways to read it are null.</summary>
    private sealed record Member(string Name, Type Type, MethodInfo? Getter, Func<object, object?>? Get);
}
