using System.Collections;
using System.Collections.Concurrent;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Smc.QueryCompiler.Fuzz.Change;

/// <summary>Compares results with what is known of them.</summary>
/// <param name="stored">Whether a value was ever stored in a column.</param>
internal sealed class FactCheck(Func<StoredFacts, object?, bool> stored)
{
    private static readonly ConcurrentDictionary<(Type, string), PropertyInfo?> s_properties = new();

    /// <summary>What is wrong with a result; null when nothing is.</summary>
    public string? Problem(Facts facts, object? value) => facts switch
    {
        StoredFacts column => value is null && column.CanBeNull || stored(column, value) ? null : string.Create(CultureInfo.InvariantCulture, $"{value ?? "null"} was never stored in {column.Table}.{column.Column}"),
        CountFacts count when value is not null => count.Bounds.Holds(Convert.ToInt64(value, CultureInfo.InvariantCulture)) ? null : $"{value} rows were counted, there are {count.Bounds}",
        ObjectFacts members when value is not null => members.Members.Select(m => Problem(m.Value, Member(value, m.Key))).FirstOrDefault(p => p is not null),
        SequenceFacts sequence when value is IEnumerable elements and not string => Problem(sequence, [.. elements.Cast<object?>()]),
        _ => null,
    };

    private string? Problem(SequenceFacts facts, object?[] elements)
    {
        if (!facts.Count.Holds(elements.Length))
            return $"there are {elements.Length} elements, of {facts.Count}";
        foreach (string name in facts.Distinct)
        {
            HashSet<object?> seen = [];
            if (elements.Select(e => Member(e, name)).Where(v => v is string or not IEnumerable && !seen.Add(v)).ToList() is [var twice, ..])
                return $"{(name.Length == 0 ? "the element" : name)} {twice ?? "null"} is there twice";
        }

        foreach (string name in facts.Counts)
        {
            long sum = elements.Sum(e => Convert.ToInt64(Member(e, name), CultureInfo.InvariantCulture));
            if (!facts.Rows!.Value.Holds(sum))
                return $"the counts of the groups ({name}) add up to {sum}, of {facts.Rows}";
        }

        if (facts.Order is { } order)
        {
            for (int i = 1; i < elements.Length; i++)
            {
                object? before = Member(elements[i - 1], order.Member);
                object? after = Member(elements[i], order.Member);
                if (Comparer<object?>.Default.Compare(before, after) is var compared && (order.IsDescending ? compared < 0 : compared > 0))
                    return $"{order.Member} {before} comes before {after}";
            }
        }

        return facts.Element is UnknownFacts or RowFacts ? null : elements.Select(e => Problem(facts.Element, e)).FirstOrDefault(p => p is not null);
    }

    private static object? Member(object? value, string name)
    {
        if (name.Length == 0 || value is null)
            return value;
        if (value is ITuple tuple && value.GetType().IsValueType && name.Length == 1 && name[0] - 'A' < tuple.Length)
            return tuple[name[0] - 'A'];
        return s_properties.GetOrAdd((value.GetType(), name), static key => key.Item1.GetProperty(key.Item2))?.GetValue(value);
    }
}
