namespace Smc.QueryCompiler.Plan;

/// <summary>A member that kernels cannot name, as its type declares it: what a method with <c>[UnsafeAccessor]</c> has to say to stand for it. Types are open where type or member are generic.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Name">Its name in metadata.</param>
/// <param name="Owner">The type that declares it: in C#, or by its name in metadata (see <paramref name="OwnerForm"/>).</param>
/// <param name="OwnerForm">How an accessor takes the type.</param>
/// <param name="OwnerGenerics">The type parameters of the type and those around it.</param>
/// <param name="Generics">The type parameters of the method.</param>
/// <param name="Type">The type of the field, or what the method returns.</param>
/// <param name="Parameters">The parameters of the method.</param>
public sealed record HiddenMember(
    HiddenMemberKind Kind, string Name, string Owner, OwnerForm OwnerForm, Generics OwnerGenerics, Generics Generics, string Type, EquatableArray<HiddenParameter> Parameters);

/// <summary>A parameter of a hidden method.</summary>
/// <param name="Modifier"><c>in</c>, <c>out</c>, <c>params</c> or nothing.</param>
/// <param name="Type">Its type.</param>
public sealed record HiddenParameter(string Modifier, string Type);

/// <summary>Type parameters in C#.</summary>
/// <param name="Parameters"><c>&lt;T&gt;</c>, or nothing.</param>
/// <param name="Constraints"><c> where T : struct</c>, or nothing.</param>
public sealed record Generics(string Parameters, string Constraints);

/// <summary>How a kernel reaches a hidden member where it is used.</summary>
/// <param name="Member">The member.</param>
/// <param name="OwnerArguments">What stands for the type parameters of its type: <c>&lt;int&gt;</c>, or nothing.</param>
/// <param name="Arguments">What stands for its own type parameters.</param>
public sealed record MemberAccess(HiddenMember Member, string OwnerArguments, string Arguments);

/// <summary>Kinds of hidden members, named as <c>UnsafeAccessorKind</c> names them. A property is the method that reads it.</summary>
public enum HiddenMemberKind
{
    Field, StaticField, Method, StaticMethod,
}

/// <summary>How an accessor takes the type that a member is of.</summary>
public enum OwnerForm
{
    /// <summary>As a parameter: of classes the object, and the type of a static member.</summary>
    Value,

    /// <summary>As a parameter by reference: a struct.</summary>
    Reference,

    /// <summary>By its name in metadata: a type that no parameter can have.</summary>
    Name,
}
