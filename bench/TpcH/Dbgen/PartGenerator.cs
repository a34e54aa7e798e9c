namespace TpcH.Dbgen;

public sealed class PartGenerator(GeneratorInputs inputs, long firstRow) : RowGenerator<PartRow>
{
    private const int Manufacturers = 5;
    private const int BrandsPerManufacturer = 5;

    // Shared strings: rivals that keep managed rows are not to pay for duplicates.
    private static readonly string[] ManufacturerNames =
        [.. Enumerable.Range(1, Manufacturers).Select(manufacturer => $"Manufacturer#{manufacturer}")];

    private static readonly string[] BrandNames =
        [.. from manufacturer in Enumerable.Range(1, Manufacturers)
            from brand in Enumerable.Range(1, BrandsPerManufacturer)
            select $"Brand#{manufacturer}{brand}"];

    private PartNameStream name = new(inputs.Lists.Colors, firstRow);
    private RandomStream manufacturer = new(Streams.PartManufacturer, firstRow);
    private RandomStream brand = new(Streams.PartBrand, firstRow);
    private RandomStream type = new(Streams.PartType, firstRow);
    private RandomStream size = new(Streams.PartSize, firstRow);
    private RandomStream container = new(Streams.PartContainer, firstRow);
    private RandomStream comment = new(Streams.PartComment, firstRow);
    private int key = (int)firstRow + 1;

    public static IReadOnlyList<string> AllManufacturers => ManufacturerNames;

    public static IReadOnlyList<string> AllBrands => BrandNames;

    public override int Generate(Span<PartRow> rows)
    {
        int manufacturerIndex = manufacturer.Between(1, Manufacturers) - 1;
        int brandIndex = brand.Between(1, BrandsPerManufacturer) - 1;
        rows[0] = new PartRow(
            key,
            name.Next(),
            ManufacturerNames[manufacturerIndex],
            BrandNames[manufacturerIndex * BrandsPerManufacturer + brandIndex],
            inputs.Lists.Types.Pick(ref type),
            size.Between(1, 50),
            inputs.Lists.Containers.Pick(ref container),
            Hundredths.ToDecimal(PartPrice.Cents(key)),
            inputs.Text.Comment(ref comment, CommentLength.Part));
        key++;
        EndRow();
        return 1;
    }

    private void EndRow()
    {
        manufacturer.EndRow();
        brand.EndRow();
        type.EndRow();
        size.EndRow();
        container.EndRow();
        comment.EndRow();
    }
}
