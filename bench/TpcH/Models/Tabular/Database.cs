using System.Data.Common;
using System.Reflection;
using Smc.Collections;
using Smc.Data;
using Smc.Memory;

namespace TpcH.Model;

/// <summary>The tables as self-managed collections of rows that refer to each other.</summary>
internal sealed class Database(DatabaseOptions options, Smc.Collections.Database? saved = null) : ITabularDatabase
{
    /// <summary>Lines of one order.</summary>
    private const int MostLines = 7;

    private readonly KeyIndex<int, Region> _regionByKey = new(Table.Region);
    private readonly KeyIndex<int, Nation> _nationByKey = new(Table.Nation);
    private readonly KeyIndex<int, Part> _partByKey = new(Table.Part);
    private readonly KeyIndex<int, Supplier> _supplierByKey = new(Table.Supplier);
    private readonly KeyIndex<(int Part, int Supplier), PartSupp> _partSuppByKey = new(Table.PartSupp);
    private readonly KeyIndex<int, Customer> _customerByKey = new(Table.Customer);
    private readonly KeyIndex<long, Order> _orderByKey = new(Table.Orders);

    private UniqueIndex<Order, long>? _orders;
    private UniqueIndex<LineItem, (long Order, int Number)>? _lineItems;

    public Collection<Region> Regions { get; } = saved?.Get<Region>() ?? Create<Region>(options);

    public Collection<Nation> Nations { get; } = saved?.Get<Nation>() ?? Create<Nation>(options);

    public Collection<Part> Parts { get; } = saved?.Get<Part>() ?? Create<Part>(options);

    public Collection<Supplier> Suppliers { get; } = saved?.Get<Supplier>() ?? Create<Supplier>(options);

    public Collection<PartSupp> PartSupps { get; } = saved?.Get<PartSupp>() ?? Create<PartSupp>(options);

    public Collection<Customer> Customers { get; } = saved?.Get<Customer>() ?? Create<Customer>(options);

    public Collection<Order> Orders { get; } = saved?.Get<Order>() ?? Create<Order>(options);

    public Collection<LineItem> LineItems { get; } = saved?.Get<LineItem>() ?? Create<LineItem>(options);

    private TableLoads? _loads;

    public long MemoryBytes => TableSchema.Tables.Sum(MappedBytes);

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
            case Table.LineItem: LineItems.Reserve(rows); break;
        }
    }

    public void Add(ReadOnlySpan<RegionRow> rows)
    {
        foreach (ref readonly RegionRow row in rows)
        {
            Region region = Regions.Add(regionKey: row.RegionKey, name: row.Name, comment: row.Comment);
            _regionByKey.Add(row.RegionKey, region);
        }
    }

    public void Add(ReadOnlySpan<NationRow> rows)
    {
        long number = Nations.LongCount;
        foreach (ref readonly NationRow row in rows)
        {
            number++;
            Nation nation = Nations.Add(
                nationKey: row.NationKey,
                name: row.Name,
                regionKey: row.RegionKey,
                region: _regionByKey.Find(row.RegionKey, Table.Nation, number, "n_regionkey"),
                comment: row.Comment);
            _nationByKey.Add(row.NationKey, nation);
        }
    }

    public void Add(ReadOnlySpan<PartRow> rows)
    {
        foreach (ref readonly PartRow row in rows)
        {
            Part part = Parts.Add(
                partKey: row.PartKey,
                name: row.Name,
                mfgr: row.Mfgr,
                brand: row.Brand,
                type: row.Type,
                size: row.Size,
                container: row.Container,
                retailPrice: row.RetailPrice,
                comment: row.Comment);
            _partByKey.Add(row.PartKey, part);
        }
    }

    public void Add(ReadOnlySpan<SupplierRow> rows)
    {
        long number = Suppliers.LongCount;
        foreach (ref readonly SupplierRow row in rows)
        {
            number++;
            Supplier supplier = Suppliers.Add(
                suppKey: row.SuppKey,
                name: row.Name,
                address: row.Address,
                nationKey: row.NationKey,
                nation: _nationByKey.Find(row.NationKey, Table.Supplier, number, "s_nationkey"),
                phone: row.Phone,
                acctBal: row.AcctBal,
                comment: row.Comment);
            _supplierByKey.Add(row.SuppKey, supplier);
        }
    }

    public void Add(ReadOnlySpan<PartSuppRow> rows)
    {
        long number = PartSupps.LongCount;
        foreach (ref readonly PartSuppRow row in rows)
        {
            number++;
            PartSupp partSupp = PartSupps.Add(
                partKey: row.PartKey,
                part: _partByKey.Find(row.PartKey, Table.PartSupp, number, "ps_partkey"),
                suppKey: row.SuppKey,
                supplier: _supplierByKey.Find(row.SuppKey, Table.PartSupp, number, "ps_suppkey"),
                availQty: row.AvailQty,
                supplyCost: row.SupplyCost,
                comment: row.Comment);
            _partSuppByKey.Add((row.PartKey, row.SuppKey), partSupp);
        }
    }

    public void Add(ReadOnlySpan<CustomerRow> rows)
    {
        long number = Customers.LongCount;
        foreach (ref readonly CustomerRow row in rows)
        {
            number++;
            Customer customer = Customers.Add(
                custKey: row.CustKey,
                name: row.Name,
                address: row.Address,
                nationKey: row.NationKey,
                nation: _nationByKey.Find(row.NationKey, Table.Customer, number, "c_nationkey"),
                phone: row.Phone,
                acctBal: row.AcctBal,
                mktSegment: row.MktSegment,
                comment: row.Comment);
            _customerByKey.Add(row.CustKey, customer);
        }
    }

    public void Add(ReadOnlySpan<OrderRow> rows)
    {
        long number = Orders.LongCount;
        foreach (ref readonly OrderRow row in rows)
        {
            number++;
            Order order = Orders.Add(
                orderKey: row.OrderKey,
                custKey: row.CustKey,
                customer: _customerByKey.Find(row.CustKey, Table.Orders, number, "o_custkey"),
                orderStatus: row.OrderStatus,
                totalPrice: row.TotalPrice,
                orderDate: row.OrderDate,
                orderPriority: row.OrderPriority,
                clerk: row.Clerk,
                shipPriority: row.ShipPriority,
                comment: row.Comment);
            _orderByKey.Add(row.OrderKey, order);
        }
    }

    public void Add(ReadOnlySpan<LineItemRow> rows)
    {
        long number = LineItems.LongCount;
        foreach (ref readonly LineItemRow row in rows)
        {
            number++;
            PartSupp partSupp = _partSuppByKey.Find((row.PartKey, row.SuppKey), Table.LineItem, number, "(l_partkey, l_suppkey)");
            LineItems.Add(
                orderKey: row.OrderKey,
                order: _orderByKey.Find(row.OrderKey, Table.LineItem, number, "l_orderkey"),
                partKey: row.PartKey,
                part: partSupp.Part,
                suppKey: row.SuppKey,
                supplier: partSupp.Supplier,
                partSupp: partSupp,
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
    }

    public void Complete()
    {
        if (options.HasIndexes && _orders is null)
            CreateIndexes();
        ForgetKeys(options.TakesRefreshes);
    }

    public long RemoveOrders(IReadOnlySet<long> orderKeys) => _orders is not null ? RemoveByIndex(orderKeys) :
        LineItems.RemoveWhere(line => orderKeys.Contains(line.OrderKey)) + Orders.RemoveWhere(order => orderKeys.Contains(order.OrderKey));

    public void Remove(Losses losses)
    {
        LineItems.RemoveWhere((Func<LineItem, bool>)(row => Queries.LostRows.IsLost(row, losses)));
        Orders.RemoveWhere((Func<Order, bool>)(row => Queries.LostRows.IsLost(row, losses)));
        PartSupps.RemoveWhere((Func<PartSupp, bool>)(row => Queries.LostRows.IsLost(row, losses)));
        Customers.RemoveWhere((Func<Customer, bool>)(row => Queries.LostRows.IsLost(row, losses)));
        Suppliers.RemoveWhere((Func<Supplier, bool>)(row => Queries.LostRows.IsLost(row, losses)));
        Parts.RemoveWhere((Func<Part, bool>)(row => Queries.LostRows.IsLost(row, losses)));
    }

    public void Compact()
    {
        Parts.Compact();
        Suppliers.Compact();
        PartSupps.Compact();
        Customers.Compact();
        Orders.Compact();
        LineItems.Compact();
    }

    public IDisposable SpoilReferences() => new Queries.BadReferences(Tables, AddAndRemove());

    public IRowRewriter Rewriter(int seed) => new RowRewriter(this, seed);

    public ILineItems CopyLineItems(MemoryManager manager) => TpcH.Model.LineItems.CopyOf(LineItems, manager);

    public DbDataReader Read(Table table) => table switch
    {
        Table.Region => Regions.AsDataReader(),
        Table.Nation => Nations.AsDataReader(),
        Table.Part => Parts.AsDataReader(),
        Table.Supplier => Suppliers.AsDataReader(),
        Table.PartSupp => PartSupps.AsDataReader(),
        Table.Customer => Customers.AsDataReader(),
        Table.Orders => Orders.AsDataReader(),
        Table.LineItem => LineItems.AsDataReader(),
        _ => throw new ArgumentOutOfRangeException(nameof(table), table, "Not a table of TPC-H."),
    };

    public void Write(Table table, ITableWriter writer)
    {
        switch (table)
        {
            case Table.Region: writer.Write(Regions); break;
            case Table.Nation: writer.Write(Nations); break;
            case Table.Part: writer.Write(Parts); break;
            case Table.Supplier: writer.Write(Suppliers); break;
            case Table.PartSupp: writer.Write(PartSupps); break;
            case Table.Customer: writer.Write(Customers); break;
            case Table.Orders: writer.Write(Orders); break;
            case Table.LineItem: writer.Write(LineItems); break;
        }
    }

    public ITabularMoment TakeSnapshot() => new TabularMoment(this);

    public SaveResult Save(string path, SaveOptions how) => Smc.Collections.Database.Save(path, how, Regions, Nations, Parts, Suppliers, PartSupps, Customers, Orders, LineItems);

    public SaveResult Save(Stream stream, SaveOptions how) => Smc.Collections.Database.Save(stream, how, Regions, Nations, Parts, Suppliers, PartSupps, Customers, Orders, LineItems);

    public ITabularDatabase LoadSaved(string path, LoadOptions how) =>
        new Database(options, Smc.Collections.Database.Load(path, how with { Manager = options.Manager }, RowType.Of<LineItem>()));

    public long Load(Table table, DbDataReader rows) => (_loads ??= new TableLoads(this)).Load(table, rows);

    public long LoadLinesWithoutReferences(DbDataReader rows)
    {
        using Collection<LineItem> lines = Create<LineItem>(options);
        return TableLoads.LoadWithoutReferences(lines, rows);
    }

    public long MappedBytes(Table table) => (table switch
    {
        Table.Region => Regions.MemoryUsage,
        Table.Nation => Nations.MemoryUsage,
        Table.Part => Parts.MemoryUsage,
        Table.Supplier => Suppliers.MemoryUsage,
        Table.PartSupp => PartSupps.MemoryUsage,
        Table.Customer => Customers.MemoryUsage,
        Table.Orders => Orders.MemoryUsage,
        Table.LineItem => LineItems.MemoryUsage,
        _ => throw new ArgumentOutOfRangeException(nameof(table), table, "Not a table of TPC-H."),
    }).Mapped;

    public IReadOnlyList<LookUp> LookUps() => Model.LookUps.Of(this);

    public IReadOnlyList<string> Kernels(QueryDefinition query, JoinStyle joins)
    {
        // Kernels are named after the class and the method that their query is in.
        string queryPrefix = $"{query.Name.ToUpperInvariant()}_";
        string otherStyle = queryPrefix + (joins == JoinStyle.Keys ? nameof(Queries.Q02.ByReferences) : nameof(Queries.Q02.ByKeys)) + "_";
        return [.. typeof(Database).Assembly.GetTypes()
            .Where(type => type.Namespace == "Smc.Generated" && !type.IsNested)
            .Select(type => type.Name)
            .Where(name => name.StartsWith(queryPrefix, StringComparison.Ordinal) && !name.StartsWith(otherStyle, StringComparison.Ordinal))];
    }

    public string? KernelSource(string kernel)
    {
        string folder = typeof(Database).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().First(entry => entry.Key == "GeneratedFiles").Value!;
        string? file = Directory.Exists(folder)
            ? Directory.EnumerateFiles(folder, $"{kernel}.Kernel.g.cs", SearchOption.AllDirectories).FirstOrDefault()
            : null;
        return file is null ? null : File.ReadAllText(file);
    }

    public void Dispose()
    {
        ForgetKeys(keepsThoseOfNewRows: false);
        Complete();
        _loads?.Dispose();
        LineItems.Dispose();
        Orders.Dispose();
        Customers.Dispose();
        PartSupps.Dispose();
        Suppliers.Dispose();
        Parts.Dispose();
        Nations.Dispose();
        Regions.Dispose();
    }

    private void ForgetKeys(bool keepsThoseOfNewRows)
    {
        _regionByKey.Clear();
        _nationByKey.Clear();
        _partByKey.Clear();
        _supplierByKey.Clear();
        _orderByKey.Clear();
        if (keepsThoseOfNewRows)
            return;
        _partSuppByKey.Clear();
        _customerByKey.Clear();
    }

    private void CreateIndexes()
    {
        _orders = Orders.CreateUniqueIndex(order => order.OrderKey);
        _lineItems = LineItems.CreateUniqueIndex(line => ValueTuple.Create(line.OrderKey, line.LineNumber));
        if (options.HasOnlyIndexesOfOrders)
            return;
        Parts.CreateUniqueIndex(part => part.PartKey);
        Suppliers.CreateUniqueIndex(supplier => supplier.SuppKey);
        Customers.CreateUniqueIndex(customer => customer.CustKey);
        PartSupps.CreateUniqueIndex(stock => ValueTuple.Create(stock.PartKey, stock.SuppKey));
        Orders.CreateIndex(order => order.OrderDate);
        Orders.CreateIndex(order => order.CustKey);
        LineItems.CreateIndex(line => line.ShipDate);
    }

    // One row of each table that something refers to, with keys that no other row has.
    private Queries.RemovedRows AddAndRemove()
    {
        Nation nation = Nations.First();
        Customer customer = Customers.Add(custKey: -1, name: "", address: "", nationKey: nation.NationKey, nation: nation, phone: "00", acctBal: 0, mktSegment: "", comment: "");
        Order order = Orders.Add(
            orderKey: -1, custKey: -1, customer: customer, orderStatus: ' ', totalPrice: 0, orderDate: new DateOnly(1992, 1, 1), orderPriority: "", clerk: "", shipPriority: 0, comment: "");
        Part part = Parts.Add(partKey: -1, name: "", mfgr: "", brand: "", type: "", size: 0, container: "", retailPrice: 0, comment: "");
        Supplier supplier = Suppliers.Add(suppKey: -1, name: "", address: "", nationKey: nation.NationKey, nation: nation, phone: "", acctBal: 0, comment: "");
        PartSupp partSupp = PartSupps.Add(partKey: -1, part: part, suppKey: -1, supplier: supplier, availQty: 0, supplyCost: 0, comment: "");
        PartSupps.Remove(partSupp);
        Suppliers.Remove(supplier);
        Parts.Remove(part);
        Orders.Remove(order);
        Customers.Remove(customer);
        return new Queries.RemovedRows(order, part, supplier, partSupp, customer);
    }

    private long RemoveByIndex(IReadOnlySet<long> orderKeys)
    {
        long[] keys = [.. orderKeys];
        // Lines are numbered from 1 without gaps.
        (long Order, int Number)[] lineKeys = new (long Order, int Number)[keys.Length * MostLines];
        for (int i = 0; i < lineKeys.Length; i++)
            lineKeys[i] = (keys[i / MostLines], (i % MostLines) + 1);
        LineItem[] lines = new LineItem[lineKeys.Length];
        _lineItems!.Find(lineKeys, lines);
        Order[] orders = new Order[keys.Length];
        _orders!.Find(keys, orders);
        return LineItems.RemoveRange(lines) + Orders.RemoveRange(orders);
    }

    private static Collection<TRow> Create<TRow>(DatabaseOptions options)
        where TRow : unmanaged => new(new CollectionOptions { Manager = options.Manager });

    private static void Reserve<TKey, TRow>(Collection<TRow> collection, KeyIndex<TKey, TRow> index, long rows)
        where TKey : IEquatable<TKey>
        where TRow : unmanaged
    {
        collection.Reserve(rows);
        index.Reserve(rows);
    }
}
