namespace TpcH.Dbgen;

/// <summary>Names of parts: the first five words of a shuffle of the colours, which starts from file order for every part.</summary>
internal struct PartNameStream(IReadOnlyList<string> colors, long row)
{
    private const int WordsPerName = 5;

    private readonly string[] shuffled = [.. colors];
    private readonly int[] swappedWith = new int[WordsPerName];
    private RandomStream stream = new(Streams.PartName, row);

    public string Next()
    {
        for (int i = 0; i < WordsPerName; i++)
            Swap(i, swappedWith[i] = stream.Between(i, shuffled.Length - 1));
        stream.EndRow();
        string name = string.Join(' ', shuffled.AsSpan(0, WordsPerName)!);
        RestoreOrder();
        return name;
    }

    private readonly void RestoreOrder()
    {
        for (int i = WordsPerName - 1; i >= 0; i--)
            Swap(i, swappedWith[i]);
    }

    private readonly void Swap(int left, int right) => (shuffled[left], shuffled[right]) = (shuffled[right], shuffled[left]);
}
