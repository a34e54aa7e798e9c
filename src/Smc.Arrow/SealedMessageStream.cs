using System.Buffers.Binary;
using Smc.Collections.Saving;
using Smc.Data.Checksums;

namespace Smc.Arrow;

/// <summary>An Arrow stream whose messages are compared with their checksums before Arrow's reader gets them. Streams of others, without checksums, pass as they are. Takes no byte behind the stream's end.</summary>
internal sealed class SealedMessageStream(Stream input) : InputStream
{
    private const int Mark = -1;
    private const int LargestSchema = 256 << 20;
    private const int SmallestBuffer = 64 * 1024;

    private byte[] _buffer = new byte[SmallestBuffer];
    private int _count;
    private int _next;
    private long _start;
    private int _number;
    private bool _isLast;
    private State _state;

    private enum State
    {
        Beginning,
        WithChecksums,
        Without,
        End,
    }

    public override int Read(Span<byte> buffer)
    {
        if (_next == _count)
        {
            switch (_state)
            {
                case State.Beginning:
                    ReadFirst();
                    break;
                case State.WithChecksums:
                    ReadMessage();
                    break;
                case State.Without:
                    return input.Read(buffer);
                default:
                    return 0;
            }
        }

        int count = Math.Min(buffer.Length, _count - _next);
        _buffer.AsSpan(_next, count).CopyTo(buffer);
        _next += count;
        return count;
    }

    /// <summary>Reads the schema, and sees whether the stream has checksums.</summary>
    private void ReadFirst()
    {
        Fill(4);
        int length = BinaryPrimitives.ReadInt32LittleEndian(_buffer);
        bool hasMark = length == Mark;
        if (hasMark)
        {
            Fill(4);
            length = BinaryPrimitives.ReadInt32LittleEndian(_buffer.AsSpan(4));
        }

        if (length is < 0 or > LargestSchema)
        {
            throw new InvalidDataException(_buffer.AsSpan(0, 4).SequenceEqual("ARRO"u8)
                ? "It is an Arrow file (Feather), not a stream. Read it with Arrow's ArrowFileReader, and open its batches."
                : $"It begins with a schema of {length} bytes.");
        }

        Fill(length);
        if (!SealedMessage.IsSealed(_buffer.AsSpan(0, _count)))
            _state = State.Without;
        else if (hasMark)
            ReadBody();
        else
            throw Damaged("it does not begin as a message");
    }

    private void ReadMessage()
    {
        (_start, _count, _next) = (_start + _count, 0, 0);
        Fill(SealedMessage.PrefixBytes);
        int length = BinaryPrimitives.ReadInt32LittleEndian(_buffer.AsSpan(4));
        if (BinaryPrimitives.ReadInt32LittleEndian(_buffer) != Mark || length < 0)
            throw Damaged("it does not begin as a message");
        if (length == 0)
        {
            if (!_isLast)
                throw Damaged("the stream ends before its last one");
            _state = State.End;
            return;
        }

        Fill(length);
        ReadBody();
    }

    /// <summary>Compares what is there of a message, and reads its body.</summary>
    private void ReadBody()
    {
        int bodyStart = _count;
        (long BodyLength, uint BodyChecksum, int Number, bool IsLast) message;
        try
        {
            message = SealedMessage.Open(_buffer.AsSpan(0, bodyStart));
        }
        catch (InvalidDataException e)
        {
            throw Damaged(e.Message);
        }

        if (message.Number != _number || _isLast)
            throw Damaged($"message {message.Number} is in its place");
        if (message.BodyLength > Array.MaxLength - bodyStart)
            throw Damaged($"it has {message.BodyLength} bytes");
        Fill((int)message.BodyLength);
        if (Crc32C.Of(_buffer.AsSpan(bodyStart, _count - bodyStart)) != message.BodyChecksum)
            throw Damaged("the checksum of its body is another one");
        (_number, _isLast, _state) = (_number + 1, message.IsLast, State.WithChecksums);
    }

    /// <summary>Reads more of the message. The buffer grows with what is there: a length may be damaged.</summary>
    private void Fill(int count)
    {
        while (count > 0)
        {
            if (_count == _buffer.Length)
                Array.Resize(ref _buffer, (int)Math.Min(Array.MaxLength, Math.Min(2L * _count, (long)_count + Math.Max(count, SmallestBuffer))));
            int read = input.Read(_buffer, _count, Math.Min(count, _buffer.Length - _count));
            if (read == 0)
                throw new InvalidDataException($"It ends at byte {_start + _count}, in message {_number}.");
            _count += read;
            count -= read;
        }
    }

    private InvalidDataException Damaged(string how) => new($"Message {_number}, from byte {_start} on, is damaged: {how}.");
}
