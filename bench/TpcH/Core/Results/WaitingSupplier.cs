namespace TpcH;

/// <summary>A row of query 21: a supplier and how many lines it alone held its orders up with.</summary>
public sealed record WaitingSupplier(string Name, int WaitCount)
{
    public static AnswerShape<WaitingSupplier> Shape { get; } = new AnswerShape<WaitingSupplier>()
        .Text("s_name", row => row.Name)
        .Integer("numwait", row => row.WaitCount);
}
