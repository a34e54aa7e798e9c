using Smc.QueryCompiler.Fuzz.Schema;

namespace Smc.QueryCompiler.Fuzz.Queries;

/// <content>Values that can be read from the variables in scope: columns, navigation, members, keys.</content>
internal sealed partial class RandomQuery
{
    /// <summary>Everything that can be read, up to two references away.</summary>
    private IEnumerable<QueryNode> Readable(QueryScope scope) => scope.Variables.SelectMany(v => Readable(v, 2));

    private IEnumerable<QueryNode> Readable(QueryNode value, int references)
    {
        yield return value;
        switch (value.Type)
        {
            case RowType { IsNullable: false } row:
                foreach (QueryNode column in Columns(value, row.Table).SelectMany(c => c.Type is not RowType ? [c] : references > 0 ? Readable(c, references - 1) : [c]))
                    yield return column;
                break;
            case RowType row when references > 0:
                foreach (ColumnSchema column in _schema.Table(row.Table).Columns)
                {
                    if (column.Type is ScalarType scalar)
                        yield return new QueryNode($"($0?.{column.Name})", scalar.Nullable, value);
                }

                break;
            case CompositeType composite:
                foreach ((string name, QueryType type) in composite.Members)
                {
                    QueryNode member = new("$0." + name, type, value) { Order = type is SequenceType ? OrderRule.Lose : OrderRule.None };
                    foreach (QueryNode inside in Readable(member, references))
                        yield return inside;
                }

                break;
            case ParameterType parameter:
                foreach (ParameterUse use in parameter.Uses.Where(u => u.Argument is null))
                    yield return new QueryNode(use.Template, use.Type, value);
                break;
            case GroupType group:
                foreach (QueryNode key in Readable(new QueryNode("$0.Key", group.Key, value), references))
                    yield return key;
                break;
        }
    }

    private IEnumerable<QueryNode> Columns(QueryNode row, string table) => _schema.Table(table).Columns.Select(c => new QueryNode("$0." + c.Name, c.Type, row));

    /// <summary>What a parameter answers about a value, <c>words.Contains(x.Text)</c>; null when none does.</summary>
    private QueryNode? AskParameter(QueryScope scope, ScalarType type)
    {
        (QueryNode Parameter, ParameterUse Use)[] fitting =
            [.. scope.Variables.Where(v => v.Type is ParameterType).SelectMany(v => ((ParameterType)v.Type).Uses.Where(u => u.Argument is not null && u.Type.Equals(type)).Select(u => (v, u)))];
        if (fitting.Length == 0)
            return null;
        (QueryNode parameter, ParameterUse use) = Pick(fitting);
        return new QueryNode(use.Template, type, parameter, Listed(scope, use.Argument!));
    }

    /// <summary>What a list is asked for: of integers rather the number of a row, which indexes have.</summary>
    private QueryNode Listed(QueryScope scope, ScalarType type)
    {
        QueryNode[] numbers = type.Equals(ScalarType.Int) && Chance(50) ? [.. ReadableScalars(scope).Where(v => v.Template == "$0.Id")] : [];
        return numbers.Length > 0 ? Near(numbers) : Scalar(scope, type, 0);
    }

    private QueryNode? TryLeaf(QueryScope scope, QueryType type)
    {
        QueryNode[] fitting = [.. Readable(scope).Where(v => v.Type.Equals(type))];
        return fitting.Length == 0 ? null : Near(fitting);
    }

    /// <summary>One of several, rather one that needs few references and is of an inner variable.</summary>
    private QueryNode Near(QueryNode[] choices)
    {
        QueryNode one = Pick(choices);
        QueryNode other = Pick(choices);
        return one.Size <= other.Size ? one : other;
    }

    private QueryNode[] ReadableScalars(QueryScope scope) => [.. Readable(scope).Where(v => v.Type is ScalarType)];

    private QueryNode[] ReadableRows(QueryScope scope) => [.. Readable(scope).Where(v => v.Type is RowType)];

    private IEnumerable<QueryNode> ReadableSequences(QueryScope scope) => Readable(scope).Where(v => v.Type is SequenceType);
}
