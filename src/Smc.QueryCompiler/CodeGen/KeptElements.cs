namespace Smc.QueryCompiler.CodeGen;

/// <summary>Elements that lie in a region, one after the other.</summary>
/// <param name="Count">Text of their number.</param>
/// <param name="Declare">Declares the element at an index in a loop over them, and gives what it binds beside what is bound around the loop.</param>
internal sealed record KeptElements(string Count, Func<CodeWriter, Bindings, string, Bindings> Declare)
{
    /// <summary>Records in a list.</summary>
    /// <param name="list">The list.</param>
    /// <param name="type">The type of the records.</param>
    /// <param name="local">What loops call a record.</param>
    /// <param name="record">What records hold.</param>
    public static KeptElements InList(string list, string type, string local, ElementRecord record) => new($"{list}.Count", (writer, outer, index) =>
    {
        writer.Line($"ref {type} {local} = ref {list}[{index}];");
        record.AskAhead(writer, list, index);
        return record.Bind(outer, local);
    });
}
