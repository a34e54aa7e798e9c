using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>The keys of a join: one type for both sides, the words that are compared, and what rows are found by in the table, which is a word or a hash.</summary>
internal sealed class JoinKeys
{
    private readonly int _number;

    public JoinKeys(KernelScope scope, Join join, int number)
    {
        _number = number;
        int words = 0;
        foreach (JoinKey key in join.Keys)
        {
            PlanType type = key.Left.Type.IsNullable ? key.Left.Type : key.Right.Type;
            JoinKey same = key with { Left = As(key.Left, type), Right = As(key.Right, type) };
            All.Add(same);
            Left.Add(new KeyForm(scope, type, StoredInBoth(same, scope.Plan), words, $"k{number}_"));
            Right.Add(Left[Left.Count - 1].Beside($"built{number}_"));
            words += Left[Left.Count - 1].Words;
        }

        AreRows = All.Count == 1 && All[0] is { Left: RowVariable row, Right: ColumnRead { Type.Kind: TypeKind.Tabular } } && !scope.CanBeNull(row.Variable);
    }

    /// <summary>The keys, both sides of a type.</summary>
    public List<JoinKey> All { get; } = [];

    /// <summary>The form of each on the left.</summary>
    public List<KeyForm> Left { get; } = [];

    /// <summary>The form of each on the right.</summary>
    public List<KeyForm> Right { get; } = [];

    /// <summary>Whether rows are found by one word, and not by a hash.</summary>
    public bool IsOneWord => All.Count == 1 && Left[0].IsOneWord;

    /// <summary>Whether the one key asks for rows that a reference leads to.</summary>
    public bool AreRows { get; }

    /// <summary>Whether a key is a number that is given as values come, so that the same value must not be numbered twice.</summary>
    public bool AreNumbered => Left.Exists(form => form.IsNumbered);

    /// <summary>Whether the one word is an integer or a handle, whose span decides the form of the table.</summary>
    public bool HaveSpan => IsOneWord && (Left[0].IsInteger || Left[0].IsHandle);

    public IEnumerable<int> ComparedWords => Left.SelectMany(form => Enumerable.Range(form.FirstWord, form.ComparedWords));

    /// <summary>The local with the one word, or the hash, of the element at hand on the left; after <see cref="DeclareLeft"/>.</summary>
    public string LeftKey => IsOneWord ? Left[0].Local(Left[0].FirstWord) : HashLocal;

    /// <summary>Text of what the element at hand on the left finds its partners by.</summary>
    public string Sought => TableKey(LeftKey);

    /// <summary>The local with the hash of the keys on the left.</summary>
    public string HashLocal => $"hash{_number}";

    /// <summary>Declares the words of the keys on the left, and their hash where rows are found by it.</summary>
    public void DeclareLeft(CodeWriter writer, Site site)
    {
        for (int i = 0; i < All.Count; i++)
            Left[i].DeclareWords(writer, site, All[i].Left);
        if (!IsOneWord)
            writer.Line($"uint {HashLocal} = {Hash(Left)};");
    }

    /// <summary>What a word of the key, or a hash, is in the table.</summary>
    public string TableKey(string key) => IsOneWord && Left[0].IsHandle ? $"{KernelApi.JoinTable}.OfHandle({key})" : key;

    /// <summary>Text that is true when no key is null that must not be; null when none can be.</summary>
    public string? Presence(List<KeyForm> forms)
    {
        string[] tests = [.. forms.Where((_, i) => !All[i].NullsMatch).Select(form => form.IsPresent).OfType<string>()];
        return tests.Length == 0 ? null : string.Join(" && ", tests);
    }

    public static string Hash(List<KeyForm> forms)
    {
        string hash = forms.SelectMany(form => form.HashedWords(form.Local)).Aggregate("0UL", (left, right) => $"{KernelApi.KeyWords}.Hash({left}, {right})");
        return $"(uint)({hash} >> 32)";
    }

    private static ScalarExpression As(ScalarExpression key, PlanType type) => key.Type.IsNullable == type.IsNullable || type.IsReferenceType ? key : new Plan.Convert(type, key);

    /// <summary>A column in whose form both sides are stored: then stored integers are compared.</summary>
    public static ColumnShape? StoredInBoth(JoinKey key, QueryPlan plan) =>
        KeyForm.StoredColumn(key.Left, plan) is { } left && KeyForm.StoredColumn(key.Right, plan) is { } right && left.Scale == right.Scale && left.Type == right.Type
            ? left
            : null;
}
