namespace Smc.QueryCompiler.CodeGen;

/// <summary>Writes how the rows of a join's table are chained when all are there, from the last to the first, so that chains are in order, and how filters are made of their keys.</summary>
internal sealed class JoinLink
{
    private readonly JoinKeys _keys;
    private readonly int _number;
    private readonly IReadOnlyList<KeyValuePair<int, string>> _filters;
    private readonly string _region;

    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="keys">The keys of the join.</param>
    /// <param name="number">What its names end with.</param>
    /// <param name="filters">The fields of filters, by the number of the key.</param>
    /// <param name="region">Where the table is kept.</param>
    public JoinLink(KernelScope scope, JoinKeys keys, int number, IReadOnlyList<KeyValuePair<int, string>> filters, string region)
    {
        _keys = keys;
        _number = number;
        _filters = filters;
        _region = region;
        if (!IsOfLibrary(keys))
            WriteMethod(scope);
    }

    /// <summary>Whether the library has the loop: for a key that is one integer.</summary>
    public static bool IsOfLibrary(JoinKeys keys) => keys.IsOneWord && keys.Left[0].IsInteger;

    /// <summary>The statement that chains the rows.</summary>
    /// <param name="zones">Text of the zone maps of the key, if the rows are all of a collection: they tell where keys lie, and the rows need not be read for that.</param>
    public string Statement(string? zones)
    {
        if (!IsOfLibrary(_keys))
            return $"Link{_number}(ref s);";
        string span = _filters.Count == 0 && zones is not null ? ", " + zones : "";
        return $"{Table} = {KernelApi.JoinTable}.Of(ref {_region}, {Rows}{span}{string.Concat(_filters.Select(filter => $", out {filter.Value}"))});";
    }

    private string Rows => $"s.Built{_number}";

    private string Table => $"s.Table{_number}";

    private void WriteMethod(KernelScope scope)
    {
        CodeWriter method = new();
        KernelMethods.Header(method);
        using (method.Open($"private static void Link{_number}(ref State s)"))
        {
            WriteSpans(method);
            using (method.Open($"for (int i = {Rows}.Count - 1; i > 0; i--)"))
            {
                method.Line($"{Rows}[i].Next = {Table}.Push({_keys.TableKey($"{Rows}[i].{(_keys.IsOneWord ? Word(0) : "Hash")}")}, i);");
                foreach (KeyValuePair<int, string> filter in _filters)
                    method.Line($"{filter.Value}.Add({Rows}[i].{Word(filter.Key)});");
            }
        }

        scope.AddMethod(method);
    }

    /// <summary>Where the integers of keys lie decides the form of the table and of filters.</summary>
    private void WriteSpans(CodeWriter method)
    {
        bool hasSpan = _keys.HaveSpan;
        int[] spans = [.. _filters.Select(filter => filter.Key).Concat(hasSpan ? [0] : Array.Empty<int>()).Distinct().OrderBy(key => key)];
        foreach (int key in spans)
            method.Line($"{KernelApi.KeySpan} span{key} = {KernelApi.KeySpan}.Empty;");
        if (spans.Length > 0)
        {
            using (method.Open($"for (int i = 1; i < {Rows}.Count; i++)"))
            {
                foreach (int key in spans)
                    method.Line($"span{key}.Widen({_keys.TableKey($"{Rows}[i].{Word(key)}")});");
            }
        }

        foreach (KeyValuePair<int, string> filter in _filters)
            method.Line($"{filter.Value} = {KernelApi.KeyFilter}.Create(ref {_region}, {Rows}.Count, span{filter.Key});");
        method.Line($"{Table} = {KernelApi.JoinTable}.Create(ref {_region}, {Rows}.Count{(hasSpan ? ", span0" : "")});");
    }

    private string Word(int key) => $"K{_keys.Left[key].FirstWord}";
}
