using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// The methods with <c>[UnsafeAccessor]</c> of a kernel, each in a class of its own: type parameters are matched by those of the class. Kernels call a method around it, which has the parameters
/// that the member has: an object first where there is one, a struct by value.
/// </summary>
internal sealed class MemberAccessors
{
    private const string Services = "global::System.Runtime.CompilerServices.";

    /// <summary>Names that no type parameter of the user's has.</summary>
    private const string Accessor = "Member__", Entry = "Call__";

    private readonly Dictionary<HiddenMember, string> _classes = [];
    private readonly CodeWriter _declarations = new();

    /// <summary>The classes; empty for none.</summary>
    public string Declarations => _declarations.ToString();

    /// <summary>The method that a kernel calls in place of a member.</summary>
    public string Method(MemberAccess access)
    {
        if (!_classes.TryGetValue(access.Member, out string? name))
        {
            name = $"Access{(_classes.Count + 1).ToString(System.Globalization.CultureInfo.InvariantCulture)}_{access.Member.Name}";
            _classes.Add(access.Member, name);
            Declare(name, access.Member);
        }

        return $"{name}{access.OwnerArguments}.{Entry}{access.Arguments}";
    }

    private void Declare(string name, HiddenMember member)
    {
        bool isField = member.Kind is HiddenMemberKind.Field or HiddenMemberKind.StaticField, isStatic = member.Kind is HiddenMemberKind.StaticField or HiddenMemberKind.StaticMethod;
        string type = member.OwnerForm switch
        {
            OwnerForm.Name => $"[{Services}UnsafeAccessorType(\"{member.Owner}\")] object",
            OwnerForm.Reference => "ref " + member.Owner,
            _ => member.Owner,
        };
        List<string> parameters = [.. member.Parameters.Select((p, i) => $"{Spaced(p.Modifier)}{p.Type} a{i}")];
        List<string> arguments = [.. member.Parameters.Select((p, i) => $"{(p.Modifier == "params" ? "" : Spaced(p.Modifier))}a{i}")];
        string receiver = isStatic ? "default" : member.OwnerForm == OwnerForm.Reference ? "ref owner" : "owner";
        using (_declarations.Open($"private static class {name}{member.OwnerGenerics.Parameters}{member.OwnerGenerics.Constraints}"))
        {
            _declarations.Line($"[{Services}UnsafeAccessor({Services}UnsafeAccessorKind.{member.Kind}, Name = \"{member.Name}\")]");
            _declarations.Line($"private static extern {(isField ? "ref " : "")}{member.Type} {Accessor}{member.Generics.Parameters}({Listed($"{type} owner", parameters)}){member.Generics.Constraints};").Line();
            string own = isStatic ? string.Join(", ", parameters) : Listed($"{member.Owner} owner", parameters);
            _declarations.Line($"internal static {member.Type} {Entry}{member.Generics.Parameters}({own}){member.Generics.Constraints} => {Accessor}{member.Generics.Parameters}({Listed(receiver, arguments)});");
        }

        _declarations.Line();
    }

    private static string Spaced(string modifier) => modifier.Length == 0 ? "" : modifier + " ";

    private static string Listed(string first, List<string> rest) => string.Join(", ", rest.Prepend(first));
}
