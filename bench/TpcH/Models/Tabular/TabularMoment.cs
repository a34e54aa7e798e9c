using Smc.Collections;
using TpcH.Queries;

namespace TpcH.Model;

/// <summary>A snapshot of all tables.</summary>
internal sealed class TabularMoment(Database database) : ITabularMoment
{
    private readonly Snapshot _snapshot = Snapshot.Take(
        database.Regions, database.Nations, database.Parts, database.Suppliers, database.PartSupps, database.Customers, database.Orders, database.LineItems);

    public long Bytes => _snapshot.Bytes;

    public PreparedQuery Prepare(QueryParameters parameters, JoinStyle joins) => QuerySet.Prepare(
        new TableSet(
            _snapshot.Of(database.Regions), _snapshot.Of(database.Nations), _snapshot.Of(database.Parts), _snapshot.Of(database.Suppliers),
            _snapshot.Of(database.PartSupps), _snapshot.Of(database.Customers), _snapshot.Of(database.Orders), _snapshot.Of(database.LineItems)),
        parameters,
        joins);

    public void Dispose() => _snapshot.Dispose();
}
