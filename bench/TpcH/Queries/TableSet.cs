using TpcH.Model;

namespace TpcH.Queries;

/// <summary>What queries read: the tables, or the tables at one moment.</summary>
internal sealed record TableSet(
    IEnumerable<Region> Regions, IEnumerable<Nation> Nations, IEnumerable<Part> Parts, IEnumerable<Supplier> Suppliers,
    IEnumerable<PartSupp> PartSupps, IEnumerable<Customer> Customers, IEnumerable<Order> Orders, IEnumerable<LineItem> LineItems);
