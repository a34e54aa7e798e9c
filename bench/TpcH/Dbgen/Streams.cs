namespace TpcH.Dbgen;

/// <summary>
/// Seeds and allotments of dbgen's columns. A row of a partsupp stream is one part with its four suppliers;
/// a row of a line stream is one order with up to seven lines.
/// </summary>
public static class Streams
{
    public const uint TextPoolSeed = 933588178;

    public static readonly StreamDefinition PartManufacturer = new(1, 1);
    public static readonly StreamDefinition PartBrand = new(46831694, 1);
    public static readonly StreamDefinition PartType = new(1841581359, 1);
    public static readonly StreamDefinition PartSize = new(1193163244, 1);
    public static readonly StreamDefinition PartContainer = new(727633698, 1);
    public static readonly StreamDefinition PartComment = new(804159733, 2);
    public static readonly StreamDefinition PartName = new(709314158, 92);

    public static readonly StreamDefinition PartSuppAvailQty = new(1671059989, 4);
    public static readonly StreamDefinition PartSuppSupplyCost = new(1051288424, 4);
    public static readonly StreamDefinition PartSuppComment = new(1961692154, 8);

    public static readonly StreamDefinition OrderClerk = new(1171034773, 1);
    public static readonly StreamDefinition OrderComment = new(276090261, 2);
    public static readonly StreamDefinition OrderDate = new(1066728069, 1);
    public static readonly StreamDefinition OrderPriority = new(591449447, 1);
    public static readonly StreamDefinition OrderCustomer = new(851767375, 1);
    public static readonly StreamDefinition OrderLineCount = new(1434868289, 1);

    public static readonly StreamDefinition LineQuantity = new(209208115, 7);
    public static readonly StreamDefinition LineDiscount = new(554590007, 7);
    public static readonly StreamDefinition LineTax = new(721958466, 7);
    public static readonly StreamDefinition LineShipInstruct = new(1371272478, 7);
    public static readonly StreamDefinition LineShipMode = new(675466456, 7);
    public static readonly StreamDefinition LinePart = new(1808217256, 7);
    public static readonly StreamDefinition LineSupplier = new(2095021727, 7);
    public static readonly StreamDefinition LineShipDate = new(1769349045, 7);
    public static readonly StreamDefinition LineCommitDate = new(904914315, 7);
    public static readonly StreamDefinition LineReceiptDate = new(373135028, 7);
    public static readonly StreamDefinition LineReturnFlag = new(717419739, 7);
    public static readonly StreamDefinition LineComment = new(1095462486, 14);

    public static readonly StreamDefinition CustomerAddress = new(881155353, 9);
    public static readonly StreamDefinition CustomerNation = new(1489529863, 1);
    public static readonly StreamDefinition CustomerPhone = new(1521138112, 3);
    public static readonly StreamDefinition CustomerBalance = new(298370230, 1);
    public static readonly StreamDefinition CustomerSegment = new(1140279430, 1);
    public static readonly StreamDefinition CustomerComment = new(1335826707, 2);

    public static readonly StreamDefinition SupplierAddress = new(706178559, 9);
    public static readonly StreamDefinition SupplierNation = new(110356601, 1);
    public static readonly StreamDefinition SupplierPhone = new(884434366, 3);
    public static readonly StreamDefinition SupplierBalance = new(962338209, 1);
    public static readonly StreamDefinition SupplierComment = new(1341315363, 2);
    public static readonly StreamDefinition RemarkGap = new(263032577, 1);
    public static readonly StreamDefinition RemarkKind = new(753643799, 1);
    public static readonly StreamDefinition RemarkChance = new(202794285, 1);
    public static readonly StreamDefinition RemarkOffset = new(715851524, 1);

    public static readonly StreamDefinition NationComment = new(606179079, 2);
    public static readonly StreamDefinition RegionComment = new(1500869201, 2);
}
