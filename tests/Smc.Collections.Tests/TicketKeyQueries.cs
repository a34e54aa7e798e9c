using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Tickets in many blocks, for tests of queries that may look keys up.</summary>
public abstract class TicketKeyQueries : IDisposable
{
    protected const int Rows = 3000;

    /// <summary>A field: kernels of queries with a join take no property of a test.</summary>
    private protected readonly Collection<Ticket> _tickets;

    protected TicketKeyQueries()
    {
        _tickets = new Collection<Ticket>(new CollectionOptions { Manager = Manager, BlockCapacity = 100 });
        for (int i = 0; i < Rows; i++)
        {
            int number = i;
            _tickets.AddNew(ticket => ticket.Set(
                key: number * 2L, number: number - 1500, email: number % 7 == 0 ? null : $"someone with number {number}", code: new Guid(number, 0, 0, new byte[8]),
                at: new DateTime(2024, 1, 1).AddHours(number), day: DateOnly.FromDayNumber(700_000 + number), price: number / 100m, seat: number % 5 == 0 ? null : number, year: number % 3, weight: number));
        }
    }

    /// <summary>Whether the collection has an index, whether it is used at any price, and with how many threads.</summary>
    public static TheoryData<bool, bool, int> Ways => new() { { false, false, 1 }, { true, false, 1 }, { true, true, 1 }, { true, false, 2 }, { true, true, 2 } };

    protected MemoryManager Manager { get; } = new();

    public void Dispose()
    {
        Manager.Dispose();
        GC.SuppressFinalize(this);
    }

    protected static KernelOptions.Scope Use(bool always, int threads) =>
        Query.Use(new QueryOptions { SeeksAlways = always, DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = threads > 1 });

    protected static ColumnLayout Column(MemoryContext context, string name) => context.Layout.Columns.ToArray().Single(column => column.Name == name);

    /// <summary>How many rows a scan asks that looks keys up; 0 for one that does not.</summary>
    protected static int RowsOf(BlockScanner scan)
    {
        int rows = 0;
        while (scan.IsSought && scan.MoveNext())
        {
            for (int slot = scan.FirstSlot; slot < scan.SlotCount; slot++)
                rows += RowBitmap.Contains(scan.Validity, (ulong)slot) ? 1 : 0;
        }

        return rows;
    }
}
