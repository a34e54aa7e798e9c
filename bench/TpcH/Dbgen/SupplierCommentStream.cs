using System.Text;

namespace TpcH.Dbgen;

/// <summary>
/// Comments of suppliers. About one in a thousand has a remark, which query 16 looks for: "Customer " and "Complaints" or "Recommends"
/// are written over the text with a random gap between them.
/// </summary>
internal struct SupplierCommentStream(TextPool text, long row)
{
    private const int RemarksPerTenThousand = 10;
    private const int ComplaintsPercent = 50;

    private RandomStream comment = new(Streams.SupplierComment, row);
    private RandomStream chance = new(Streams.RemarkChance, row);
    private RandomStream kind = new(Streams.RemarkKind, row);
    private RandomStream gap = new(Streams.RemarkGap, row);
    private RandomStream offset = new(Streams.RemarkOffset, row);

    private static ReadOnlySpan<byte> Subject => "Customer "u8;

    private static ReadOnlySpan<byte> Complaint => "Complaints"u8;

    private static ReadOnlySpan<byte> Recommendation => "Recommends"u8;

    public string Next()
    {
        ReadOnlySpan<byte> original = text.CommentBytes(ref comment, CommentLength.Supplier);
        string result = chance.Between(1, 10_000) <= RemarksPerTenThousand ? WithRemark(original) : Encoding.Latin1.GetString(original);
        EndRow();
        return result;
    }

    private string WithRemark(ReadOnlySpan<byte> original)
    {
        Span<byte> remarked = stackalloc byte[original.Length];
        original.CopyTo(remarked);
        int room = original.Length - Subject.Length - Complaint.Length;
        int gapLength = gap.Between(0, room);
        int start = offset.Between(0, room - gapLength);
        Subject.CopyTo(remarked[start..]);
        ReadOnlySpan<byte> verdict = kind.Between(0, 100) < ComplaintsPercent ? Complaint : Recommendation;
        verdict.CopyTo(remarked[(start + Subject.Length + gapLength)..]);
        return Encoding.Latin1.GetString(remarked);
    }

    // The streams of the remark advance by one draw per supplier, whether it has a remark or not.
    private void EndRow()
    {
        comment.EndRow();
        chance.EndRow();
        kind.EndRow();
        gap.EndRow();
        offset.EndRow();
    }
}
