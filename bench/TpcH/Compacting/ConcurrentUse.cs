namespace TpcH.Compacting;

/// <summary>
/// A thread that reads all rows over and over, by enumeration and through handles in turns, and a thread that writes single rows, from
/// construction to <see cref="Stop"/>. What they find has to be what it would be without anybody else at work.
/// </summary>
internal sealed class ConcurrentUse : IDisposable
{
    private readonly ILineItems _rows;
    private readonly ILineItemHandles _handles;
    private readonly int[] _lineNumbers;
    private readonly long _sumOfKeys;
    private readonly TimeSpan? _stolenBefore;
    private readonly Thread _reader;
    private readonly Thread _writer;
    private volatile bool _isStopping;
    private Stalls? _readerStalls;
    private Stalls? _writerStalls;
    private Exception? _failure;
    private string? _problem;

    /// <param name="rows">The rows; nobody adds or removes any meanwhile.</param>
    /// <param name="handles">Handles to all of them.</param>
    public ConcurrentUse(ILineItems rows, ILineItemHandles handles)
    {
        _rows = rows;
        _handles = handles;
        _lineNumbers = [.. Enumerable.Range(0, handles.Count).Select(index => (int)handles.LineNumber(index))];
        using (var clock = new StallClock())
            _sumOfKeys = handles.SumByHandle(clock);
        _stolenBefore = StolenTime.Now();
        _reader = Start("reader", Read);
        _writer = Start("writer", Write);
    }

    /// <summary>Ends both threads, checks what they found and wrote, and tells how long each was held up.</summary>
    public UseReport Stop()
    {
        Join();
        TimeSpan? stolen = StolenTime.Now() - _stolenBefore;
        if (_failure is { } failure)
            throw new InvalidOperationException("A thread that used the rows failed.", failure);
        return new UseReport(_readerStalls!, _writerStalls!, stolen, _problem ?? FindLostWrite());
    }

    public void Dispose() => Join();

    private void Join()
    {
        _isStopping = true;
        _reader.Join();
        _writer.Join();
    }

    private Thread Start(string name, Action work)
    {
        var thread = new Thread(() =>
        {
            try
            {
                work();
            }
            catch (Exception error)
            {
                _failure = error;
            }
        }) { Name = name };
        thread.Start();
        return thread;
    }

    private void Read()
    {
        using var clock = new StallClock();
        while (!_isStopping)
        {
            Expect("enumeration", _rows.SumByEnumeration(clock));
            Expect("handles", _handles.SumByHandle(clock));
        }
        _readerStalls = Stalls.Of(clock);
    }

    private void Expect(string way, long sum)
    {
        if (sum != _sumOfKeys)
            _problem = $"reading all rows by {way} gave keys with the sum {sum} instead of {_sumOfKeys}";
    }

    private void Write()
    {
        var random = new Random(_handles.Count);
        using var clock = new StallClock();
        while (!_isStopping)
        {
            int index = random.Next(_handles.Count);
            _handles.Increment(index);
            _lineNumbers[index]++;
            clock.Step();
        }
        _writerStalls = Stalls.Of(clock);
    }

    private string? FindLostWrite()
    {
        for (int index = 0; index < _lineNumbers.Length; index++)
        {
            if (_handles.LineNumber(index) != _lineNumbers[index])
                return $"a row has the line number {_handles.LineNumber(index)}, where {_lineNumbers[index]} was written";
        }
        return null;
    }
}
