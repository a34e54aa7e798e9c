using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Rows that were once in the tables.</summary>
internal sealed record RemovedRows(Order Order, Part Part, Supplier Supplier, PartSupp PartSupp, Customer Customer);
