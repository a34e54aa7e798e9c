namespace TpcH.Tbl;

/// <summary>Writes rows field by field, in file order.</summary>
internal static class TblRowWriter
{
    public static void Write(in RegionRow row, TblBuffer line)
    {
        line.Integer(row.RegionKey);
        line.Text(row.Name);
        line.Text(row.Comment);
        line.EndRow();
    }

    public static void Write(in NationRow row, TblBuffer line)
    {
        line.Integer(row.NationKey);
        line.Text(row.Name);
        line.Integer(row.RegionKey);
        line.Text(row.Comment);
        line.EndRow();
    }

    public static void Write(in PartRow row, TblBuffer line)
    {
        line.Integer(row.PartKey);
        line.Text(row.Name);
        line.Text(row.Mfgr);
        line.Text(row.Brand);
        line.Text(row.Type);
        line.Integer(row.Size);
        line.Text(row.Container);
        line.Money(row.RetailPrice);
        line.Text(row.Comment);
        line.EndRow();
    }

    public static void Write(in SupplierRow row, TblBuffer line)
    {
        line.Integer(row.SuppKey);
        line.Text(row.Name);
        line.Text(row.Address);
        line.Integer(row.NationKey);
        line.Text(row.Phone);
        line.Money(row.AcctBal);
        line.Text(row.Comment);
        line.EndRow();
    }

    public static void Write(in PartSuppRow row, TblBuffer line)
    {
        line.Integer(row.PartKey);
        line.Integer(row.SuppKey);
        line.Integer(row.AvailQty);
        line.Money(row.SupplyCost);
        line.Text(row.Comment);
        line.EndRow();
    }

    public static void Write(in CustomerRow row, TblBuffer line)
    {
        line.Integer(row.CustKey);
        line.Text(row.Name);
        line.Text(row.Address);
        line.Integer(row.NationKey);
        line.Text(row.Phone);
        line.Money(row.AcctBal);
        line.Text(row.MktSegment);
        line.Text(row.Comment);
        line.EndRow();
    }

    public static void Write(in OrderRow row, TblBuffer line)
    {
        line.Integer(row.OrderKey);
        line.Integer(row.CustKey);
        line.Character(row.OrderStatus);
        line.Money(row.TotalPrice);
        line.Date(row.OrderDate);
        line.Text(row.OrderPriority);
        line.Text(row.Clerk);
        line.Integer(row.ShipPriority);
        line.Text(row.Comment);
        line.EndRow();
    }

    public static void Write(in LineItemRow row, TblBuffer line)
    {
        line.Integer(row.OrderKey);
        line.Integer(row.PartKey);
        line.Integer(row.SuppKey);
        line.Integer(row.LineNumber);
        WriteQuantity(row.Quantity, line);
        line.Money(row.ExtendedPrice);
        line.Money(row.Discount);
        line.Money(row.Tax);
        line.Character(row.ReturnFlag);
        line.Character(row.LineStatus);
        line.Date(row.ShipDate);
        line.Date(row.CommitDate);
        line.Date(row.ReceiptDate);
        line.Text(row.ShipInstruct);
        line.Text(row.ShipMode);
        line.Text(row.Comment);
        line.EndRow();
    }

    // The schema has quantities with two digits after the point, dbgen writes whole numbers.
    private static void WriteQuantity(decimal quantity, TblBuffer line)
    {
        if (decimal.IsInteger(quantity))
            line.Integer(decimal.ToInt64(quantity));
        else
            line.Money(quantity);
    }
}
