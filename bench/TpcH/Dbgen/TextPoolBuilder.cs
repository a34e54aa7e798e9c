namespace TpcH.Dbgen;

/// <summary>
/// Generates the text pool. The pool is one sequence of draws, but at sixteen known offsets the state of the stream is known,
/// so its spans are generated in parallel.
/// </summary>
internal static class TextPoolBuilder
{
    // Offset at which a sentence starts, and the stream's state before its first draw.
    private static readonly (int Offset, uint State)[] Checkpoints =
    [
        (0, Streams.TextPoolSeed), (19660810, 563391851), (39321619, 374858592), (58982448, 1037153816),
        (78643223, 123793686), (98304011, 181171974), (117964817, 1062410537), (137625648, 652432975),
        (157286442, 400078567), (176947229, 46453828), (196608019, 1105413057), (216268868, 1956087994),
        (235929648, 1407925218), (255590452, 1660456561), (275251227, 42055684), (294912013, 2013011059),
    ];

    public static byte[] Build(CancellationToken cancellationToken)
    {
        byte[] pool = GC.AllocateUninitializedArray<byte>(TextPool.Size);
        var grammar = new TextGrammar();
        var options = new ParallelOptions { CancellationToken = cancellationToken };
        Parallel.For(0, Checkpoints.Length, options, span => Fill(pool, grammar, span));
        return pool;
    }

    private static void Fill(byte[] pool, TextGrammar grammar, int span)
    {
        (int offset, uint state) = Checkpoints[span];
        int end = span + 1 < Checkpoints.Length ? Checkpoints[span + 1].Offset : pool.Length;
        var writer = new SentenceWriter(grammar, state);
        for (Span<byte> rest = pool.AsSpan(offset..end); !rest.IsEmpty;)
        {
            // Only the last sentence of the pool is longer than what is left of its span; dbgen cuts it off.
            ReadOnlySpan<byte> sentence = writer.Next();
            int length = Math.Min(sentence.Length, rest.Length);
            sentence[..length].CopyTo(rest);
            rest = rest[length..];
        }
    }
}
