using System.Collections.Immutable;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>What generated code at some place calls the rows, values and groups that an expression there may read.</summary>
internal sealed record Bindings(
    ImmutableDictionary<int, RowPlace> Rows,
    ImmutableDictionary<int, ValuePlace> Values,
    ImmutableDictionary<int, GroupPlace> Groups)
{
    public static readonly Bindings None =
        new(ImmutableDictionary<int, RowPlace>.Empty, ImmutableDictionary<int, ValuePlace>.Empty, ImmutableDictionary<int, GroupPlace>.Empty);

    /// <summary>Locals with what stored properties held when they were loaded: good for one element, wherever the query's text reads them.</summary>
    public ImmutableDictionary<ColumnRead, string> Loaded { get; init; } = ImmutableDictionary<ColumnRead, string>.Empty;

    /// <summary>Locals with where the rows are that references lead to: good for one element.</summary>
    public ImmutableDictionary<ScalarExpression, string> Located { get; init; } = ImmutableDictionary<ScalarExpression, string>.Empty;

    /// <summary>Texts of what a pass over the whole batch has found for the row at hand, by what asks for it.</summary>
    public ImmutableDictionary<object, string> Beside { get; init; } = ImmutableDictionary<object, string>.Empty;

    public bool IsEmpty => Rows.IsEmpty && Values.IsEmpty && Groups.IsEmpty;

    public Bindings WithRow(int variable, RowPlace place) => this with { Rows = Rows.SetItem(variable, place) };

    public Bindings WithValue(int variable, ValuePlace place) => this with { Values = Values.SetItem(variable, place) };

    public Bindings WithGroup(int group, GroupPlace place) => this with { Groups = Groups.SetItem(group, place) };

    public Bindings WithLoaded(ColumnRead read, string local) => this with { Loaded = Loaded.SetItem(read, local) };

    public Bindings WithLocated(ScalarExpression row, string local) => this with { Located = Located.SetItem(row, local) };

    public Bindings WithBeside(object asker, string text) => this with { Beside = Beside.SetItem(asker, text) };

    public Bindings With(Bindings other) => new(Rows.SetItems(other.Rows), Values.SetItems(other.Values), Groups.SetItems(other.Groups));
}
