namespace Smc.Arrow;

/// <summary>Takes messages from Arrow's writer and lets them out with checksums.</summary>
internal sealed class SealedMessageWriter(Stream output) : IDisposable
{
    private int _count;

    /// <summary>Takes the next message.</summary>
    public MemoryStream Message { get; } = new();

    /// <summary>Writes the message that was taken.</summary>
    /// <param name="isLast">Whether no other one comes: without this, a stream that is cut off between two messages would look whole.</param>
    public void Write(bool isLast)
    {
        ReadOnlySpan<byte> message = Message.GetBuffer().AsSpan(0, (int)Message.Length);
        output.Write(SealedMessage.Seal(message, _count++, isLast, out int bodyStart));
        output.Write(message[bodyStart..]);
        Message.SetLength(0);
    }

    /// <summary>Writes the mark at the end of the stream.</summary>
    public void WriteEnd() => Message.WriteTo(output);

    public void Dispose() => Message.Dispose();
}
