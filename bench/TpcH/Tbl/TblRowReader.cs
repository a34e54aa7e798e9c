namespace TpcH.Tbl;

/// <summary>Reads rows field by field, in file order.</summary>
internal static class TblRowReader
{
    public static RegionRow Region(ref TblLine line)
    {
        var row = new RegionRow(
            RegionKey: line.Int32(),
            Name: line.Text(TextDomain.Regions),
            Comment: line.Text());
        line.End();
        return row;
    }

    public static NationRow Nation(ref TblLine line)
    {
        var row = new NationRow(
            NationKey: line.Int32(),
            Name: line.Text(TextDomain.Nations),
            RegionKey: line.Int32(),
            Comment: line.Text());
        line.End();
        return row;
    }

    public static PartRow Part(ref TblLine line)
    {
        var row = new PartRow(
            PartKey: line.Int32(),
            Name: line.Text(),
            Mfgr: line.Text(TextDomain.Manufacturers),
            Brand: line.Text(TextDomain.Brands),
            Type: line.Text(TextDomain.Types),
            Size: line.Int32(),
            Container: line.Text(TextDomain.Containers),
            RetailPrice: line.Money(),
            Comment: line.Text());
        line.End();
        return row;
    }

    public static SupplierRow Supplier(ref TblLine line)
    {
        var row = new SupplierRow(
            SuppKey: line.Int32(),
            Name: line.Text(),
            Address: line.Text(),
            NationKey: line.Int32(),
            Phone: line.Text(),
            AcctBal: line.Money(),
            Comment: line.Text());
        line.End();
        return row;
    }

    public static PartSuppRow PartSupp(ref TblLine line)
    {
        var row = new PartSuppRow(
            PartKey: line.Int32(),
            SuppKey: line.Int32(),
            AvailQty: line.Int32(),
            SupplyCost: line.Money(),
            Comment: line.Text());
        line.End();
        return row;
    }

    public static CustomerRow Customer(ref TblLine line)
    {
        var row = new CustomerRow(
            CustKey: line.Int32(),
            Name: line.Text(),
            Address: line.Text(),
            NationKey: line.Int32(),
            Phone: line.Text(),
            AcctBal: line.Money(),
            MktSegment: line.Text(TextDomain.Segments),
            Comment: line.Text());
        line.End();
        return row;
    }

    public static OrderRow Order(ref TblLine line)
    {
        var row = new OrderRow(
            OrderKey: line.Int64(),
            CustKey: line.Int32(),
            OrderStatus: line.Character(),
            TotalPrice: line.Money(),
            OrderDate: line.Date(),
            OrderPriority: line.Text(TextDomain.Priorities),
            Clerk: line.Text(),
            ShipPriority: line.Int32(),
            Comment: line.Text());
        line.End();
        return row;
    }

    public static LineItemRow LineItem(ref TblLine line)
    {
        var row = new LineItemRow(
            OrderKey: line.Int64(),
            PartKey: line.Int32(),
            SuppKey: line.Int32(),
            LineNumber: line.Int32(),
            Quantity: line.Money(),
            ExtendedPrice: line.Money(),
            Discount: line.Money(),
            Tax: line.Money(),
            ReturnFlag: line.Character(),
            LineStatus: line.Character(),
            ShipDate: line.Date(),
            CommitDate: line.Date(),
            ReceiptDate: line.Date(),
            ShipInstruct: line.Text(TextDomain.Instructions),
            ShipMode: line.Text(TextDomain.Modes),
            Comment: line.Text());
        line.End();
        return row;
    }
}
