namespace TpcH.Dbgen;

/// <summary>How long the comments of a column are: from 0.4 to 1.6 times dbgen's average.</summary>
public readonly record struct CommentLength(int Average)
{
    public static readonly CommentLength Part = new(14);
    public static readonly CommentLength PartSupp = new(124);
    public static readonly CommentLength Supplier = new(63);
    public static readonly CommentLength Customer = new(73);
    public static readonly CommentLength Order = new(49);
    public static readonly CommentLength LineItem = new(27);
    public static readonly CommentLength Nation = new(72);
    public static readonly CommentLength Region = new(72);

    public int Minimum => Average * 4 / 10;

    public int Maximum => Average * 16 / 10;
}
