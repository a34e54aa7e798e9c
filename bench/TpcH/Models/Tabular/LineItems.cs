using Smc.Collections;
using Smc.Memory;
using TpcH.Queries;

namespace TpcH.Model;

/// <summary>Line items in a collection of their own.</summary>
internal sealed class LineItems(MemoryManager manager) : ILineItems
{
    private readonly Collection<LineItem> _rows = new(new CollectionOptions { Manager = manager, CompactionOccupancy = 0 });

    public long Count => _rows.LongCount;

    public MemoryUsage Memory => _rows.MemoryUsage;

    public static LineItems CopyOf(Collection<LineItem> rows, MemoryManager manager)
    {
        var copy = new LineItems(manager);
        copy._rows.Reserve(rows.LongCount);
        foreach (LineItem row in rows)
        {
            copy._rows.Add(
                orderKey: row.OrderKey,
                order: row.Order,
                partKey: row.PartKey,
                part: row.Part,
                suppKey: row.SuppKey,
                supplier: row.Supplier,
                partSupp: row.PartSupp,
                lineNumber: row.LineNumber,
                quantity: row.Quantity,
                extendedPrice: row.ExtendedPrice,
                discount: row.Discount,
                tax: row.Tax,
                returnFlag: row.ReturnFlag,
                lineStatus: row.LineStatus,
                shipDate: row.ShipDate,
                commitDate: row.CommitDate,
                receiptDate: row.ReceiptDate,
                shipInstruct: row.ShipInstruct,
                shipMode: row.ShipMode,
                comment: row.Comment);
        }
        return copy;
    }

    public ILineItems Copy(MemoryManager manager) => CopyOf(_rows, manager);

    public PreparedQuery Prepare(QueryParameters parameters) => QuerySet.PrepareOverLineItems(_rows, parameters);

    // The selection is no collection, so the query's own lambda runs.
#pragma warning disable SMC1009
    public PreparedQuery PrepareLinq(QueryParameters parameters) => QuerySet.PrepareOverLineItems(Enumerable.Select(_rows, row => row), parameters);
#pragma warning restore SMC1009

    public void RemoveAtRandom(double share, int seed)
    {
        var random = new Random(seed);
        _rows.RemoveWhere((Func<LineItem, bool>)(_ => random.NextDouble() < share));
    }

    public CompactionResult Compact(CancellationToken cancellationToken) => _rows.Compact(timeLimit: null, cancellationToken);

    public ILineItemHandles Handles(int seed)
    {
        LineItem[] handles = [.. _rows];
        new Random(seed).Shuffle(handles);
        return new LineItemHandles(handles);
    }

    public long SumByEnumeration(StallClock clock)
    {
        long sum = 0;
        foreach (LineItem row in _rows)
        {
            sum += row.OrderKey;
            clock.Step();
        }
        return sum;
    }

    public void Dispose() => _rows.Dispose();

    private sealed class LineItemHandles(LineItem[] handles) : ILineItemHandles
    {
        public int Count => handles.Length;

        public long SumByHandle()
        {
            long sum = 0;
            foreach (LineItem row in handles)
                sum += row.OrderKey;
            return sum;
        }

        public long SumByHandle(StallClock clock)
        {
            long sum = 0;
            foreach (LineItem row in handles)
            {
                sum += row.OrderKey;
                clock.Step();
            }
            return sum;
        }

        public void Increment(int index)
        {
            LineItem row = handles[index];
            row.LineNumber++;
        }

        public long LineNumber(int index) => handles[index].LineNumber;
    }
}
