namespace TpcH.Model;

/// <summary>The tables as lists of objects that refer to each other.</summary>
/// <param name="takesRefreshes">Whether rows come and go after the load; the keys that new rows refer to are kept then.</param>
internal sealed class Database(bool takesRefreshes = false) : IModelDatabase
{
    private readonly long _heapBefore = GC.GetTotalMemory(forceFullCollection: true);
    private readonly KeyIndex<int, Region> _regionByKey = new(Table.Region);
    private readonly KeyIndex<int, Nation> _nationByKey = new(Table.Nation);
    private readonly KeyIndex<int, Part> _partByKey = new(Table.Part);
    private readonly KeyIndex<int, Supplier> _supplierByKey = new(Table.Supplier);
    private readonly KeyIndex<(int Part, int Supplier), PartSupp> _partSuppByKey = new(Table.PartSupp);
    private readonly KeyIndex<int, Customer> _customerByKey = new(Table.Customer);
    private readonly KeyIndex<long, Order> _orderByKey = new(Table.Orders);

    public List<Region> Regions { get; } = [];

    public List<Nation> Nations { get; } = [];

    public List<Part> Parts { get; } = [];

    public List<Supplier> Suppliers { get; } = [];

    public List<PartSupp> PartSupps { get; } = [];

    public List<Customer> Customers { get; } = [];

    public List<Order> Orders { get; } = [];

    public List<LineItem> LineItems { get; } = [];

    /// <summary>What the heap holds more than before the load; exact when nothing else is loaded at the same time.</summary>
    public long MemoryBytes => GC.GetTotalMemory(forceFullCollection: true) - _heapBefore;

    internal Queries.TableSet Tables => new(Regions, Nations, Parts, Suppliers, PartSupps, Customers, Orders, LineItems);

    public PreparedQuery Prepare(QueryParameters parameters, JoinStyle joins) =>
        Queries.QuerySet.Prepare(Tables, parameters, joins);

    public void Begin(Table table, long rows)
    {
        switch (table)
        {
            case Table.Part: Reserve(Parts, _partByKey, rows); break;
            case Table.Supplier: Reserve(Suppliers, _supplierByKey, rows); break;
            case Table.PartSupp: Reserve(PartSupps, _partSuppByKey, rows); break;
            case Table.Customer: Reserve(Customers, _customerByKey, rows); break;
            case Table.Orders: Reserve(Orders, _orderByKey, rows); break;
            case Table.LineItem: LineItems.EnsureCapacity(checked((int)rows)); break;
        }
    }

    public void Add(ReadOnlySpan<RegionRow> rows)
    {
        foreach (ref readonly RegionRow row in rows)
        {
            var region = new Region { RegionKey = row.RegionKey, Name = row.Name, Comment = row.Comment };
            _regionByKey.Add(row.RegionKey, region);
            Regions.Add(region);
        }
    }

    public void Add(ReadOnlySpan<NationRow> rows)
    {
        foreach (ref readonly NationRow row in rows)
        {
            var nation = new Nation
            {
                NationKey = row.NationKey,
                Name = row.Name,
                RegionKey = row.RegionKey,
                Region = _regionByKey.Find(row.RegionKey, Table.Nation, Nations.Count + 1, "n_regionkey"),
                Comment = row.Comment,
            };
            _nationByKey.Add(row.NationKey, nation);
            Nations.Add(nation);
        }
    }

    public void Add(ReadOnlySpan<PartRow> rows)
    {
        foreach (ref readonly PartRow row in rows)
        {
            var part = new Part
            {
                PartKey = row.PartKey,
                Name = row.Name,
                Mfgr = row.Mfgr,
                Brand = row.Brand,
                Type = row.Type,
                Size = row.Size,
                Container = row.Container,
                RetailPrice = row.RetailPrice,
                Comment = row.Comment,
            };
            _partByKey.Add(row.PartKey, part);
            Parts.Add(part);
        }
    }

    public void Add(ReadOnlySpan<SupplierRow> rows)
    {
        foreach (ref readonly SupplierRow row in rows)
        {
            var supplier = new Supplier
            {
                SuppKey = row.SuppKey,
                Name = row.Name,
                Address = row.Address,
                NationKey = row.NationKey,
                Nation = _nationByKey.Find(row.NationKey, Table.Supplier, Suppliers.Count + 1, "s_nationkey"),
                Phone = row.Phone,
                AcctBal = row.AcctBal,
                Comment = row.Comment,
            };
            _supplierByKey.Add(row.SuppKey, supplier);
            Suppliers.Add(supplier);
        }
    }

    public void Add(ReadOnlySpan<PartSuppRow> rows)
    {
        foreach (ref readonly PartSuppRow row in rows)
        {
            long number = PartSupps.Count + 1;
            var partSupp = new PartSupp
            {
                PartKey = row.PartKey,
                Part = _partByKey.Find(row.PartKey, Table.PartSupp, number, "ps_partkey"),
                SuppKey = row.SuppKey,
                Supplier = _supplierByKey.Find(row.SuppKey, Table.PartSupp, number, "ps_suppkey"),
                AvailQty = row.AvailQty,
                SupplyCost = row.SupplyCost,
                Comment = row.Comment,
            };
            _partSuppByKey.Add((row.PartKey, row.SuppKey), partSupp);
            PartSupps.Add(partSupp);
        }
    }

    public void Add(ReadOnlySpan<CustomerRow> rows)
    {
        foreach (ref readonly CustomerRow row in rows)
        {
            var customer = new Customer
            {
                CustKey = row.CustKey,
                Name = row.Name,
                Address = row.Address,
                NationKey = row.NationKey,
                Nation = _nationByKey.Find(row.NationKey, Table.Customer, Customers.Count + 1, "c_nationkey"),
                Phone = row.Phone,
                AcctBal = row.AcctBal,
                MktSegment = row.MktSegment,
                Comment = row.Comment,
            };
            _customerByKey.Add(row.CustKey, customer);
            Customers.Add(customer);
        }
    }

    public void Add(ReadOnlySpan<OrderRow> rows)
    {
        foreach (ref readonly OrderRow row in rows)
        {
            var order = new Order
            {
                OrderKey = row.OrderKey,
                CustKey = row.CustKey,
                Customer = _customerByKey.Find(row.CustKey, Table.Orders, Orders.Count + 1, "o_custkey"),
                OrderStatus = row.OrderStatus,
                TotalPrice = row.TotalPrice,
                OrderDate = row.OrderDate,
                OrderPriority = row.OrderPriority,
                Clerk = row.Clerk,
                ShipPriority = row.ShipPriority,
                Comment = row.Comment,
            };
            _orderByKey.Add(row.OrderKey, order);
            Orders.Add(order);
        }
    }

    public void Add(ReadOnlySpan<LineItemRow> rows)
    {
        foreach (ref readonly LineItemRow row in rows)
        {
            long number = LineItems.Count + 1;
            PartSupp partSupp = _partSuppByKey.Find((row.PartKey, row.SuppKey), Table.LineItem, number, "(l_partkey, l_suppkey)");
            LineItems.Add(new LineItem
            {
                OrderKey = row.OrderKey,
                Order = _orderByKey.Find(row.OrderKey, Table.LineItem, number, "l_orderkey"),
                PartKey = row.PartKey,
                Part = partSupp.Part,
                SuppKey = row.SuppKey,
                Supplier = partSupp.Supplier,
                PartSupp = partSupp,
                LineNumber = row.LineNumber,
                Quantity = row.Quantity,
                ExtendedPrice = row.ExtendedPrice,
                Discount = row.Discount,
                Tax = row.Tax,
                ReturnFlag = row.ReturnFlag,
                LineStatus = row.LineStatus,
                ShipDate = row.ShipDate,
                CommitDate = row.CommitDate,
                ReceiptDate = row.ReceiptDate,
                ShipInstruct = row.ShipInstruct,
                ShipMode = row.ShipMode,
                Comment = row.Comment,
            });
        }
    }

    public void Complete()
    {
        _regionByKey.Clear();
        _nationByKey.Clear();
        _partByKey.Clear();
        _supplierByKey.Clear();
        _orderByKey.Clear();
        if (takesRefreshes)
            return;
        _partSuppByKey.Clear();
        _customerByKey.Clear();
    }

    public long RemoveOrders(IReadOnlySet<long> orderKeys) =>
        LineItems.RemoveAll(line => orderKeys.Contains(line.OrderKey)) + Orders.RemoveAll(order => orderKeys.Contains(order.OrderKey));

    public void Remove(Losses losses)
    {
        LineItems.RemoveAll(row => Queries.LostRows.IsLost(row, losses));
        Orders.RemoveAll(row => Queries.LostRows.IsLost(row, losses));
        PartSupps.RemoveAll(row => Queries.LostRows.IsLost(row, losses));
        Customers.RemoveAll(row => Queries.LostRows.IsLost(row, losses));
        Suppliers.RemoveAll(row => Queries.LostRows.IsLost(row, losses));
        Parts.RemoveAll(row => Queries.LostRows.IsLost(row, losses));
    }

    // An object that is in no list can be followed all the same, a handle to a removed row cannot: null stands for both.
    public IDisposable SpoilReferences() => new Queries.BadReferences(Tables, new Queries.RemovedRows(null!, null!, null!, null!, null!));

    /// <summary>Lets go of all rows; the collector takes them when it likes.</summary>
    public void Dispose()
    {
        Complete();
        Release(Regions);
        Release(Nations);
        Release(Parts);
        Release(Suppliers);
        Release(PartSupps);
        Release(Customers);
        Release(Orders);
        Release(LineItems);
    }

    private static void Reserve<TKey, TRow>(List<TRow> list, KeyIndex<TKey, TRow> index, long rows) where TKey : IEquatable<TKey>
    {
        list.EnsureCapacity(checked((int)rows));
        index.Reserve(rows);
    }

    private static void Release<TRow>(List<TRow> list)
    {
        list.Clear();
        list.TrimExcess();
    }
}
