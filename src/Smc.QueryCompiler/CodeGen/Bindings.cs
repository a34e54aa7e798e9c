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

    /// <summary>Locals with what stored properties held when they were loaded, by the read and its place in the query's text (<see cref="ColumnRead.Place"/>): good for one element.</summary>
    public ImmutableDictionary<(int Place, ColumnRead Read), string> Loaded { get; init; } = ImmutableDictionary<(int Place, ColumnRead Read), string>.Empty;

    public bool IsEmpty => Rows.IsEmpty && Values.IsEmpty && Groups.IsEmpty;

    public Bindings WithRow(int variable, RowPlace place) => this with { Rows = Rows.SetItem(variable, place) };

    public Bindings WithValue(int variable, ValuePlace place) => this with { Values = Values.SetItem(variable, place) };

    public Bindings WithGroup(int group, GroupPlace place) => this with { Groups = Groups.SetItem(group, place) };

    public Bindings WithLoaded(ColumnRead read, string local) => this with { Loaded = Loaded.SetItem((read.Place, read), local) };

    public Bindings With(Bindings other) => new(Rows.SetItems(other.Rows), Values.SetItems(other.Values), Groups.SetItems(other.Groups));
}
