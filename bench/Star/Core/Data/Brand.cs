using System.Globalization;

namespace Star;

/// <summary>A brand with what it is sold as.</summary>
internal sealed record Brand(string Name, string Category, string Department)
{
    private const int PerCategory = 40;

    /// <summary>Five departments of five categories of forty brands.</summary>
    public static IReadOnlyList<Brand> All { get; } =
    [
        .. Brands("Kitchen", "Cookware", "Cutlery", "Kettles", "Bakeware", "Glasses"),
        .. Brands("Garden", "Spades", "Seeds", "Hoses", "Planters", "Lanterns"),
        .. Brands("Sport", "Camping", "Cycling", "Climbing", "Rowing", "Skiing"),
        .. Brands("Music", "Guitars", "Drums", "Flutes", "Keyboards", "Violins"),
        .. Brands("Study", "Pens", "Paper", "Lamps", "Shelves", "Desks"),
    ];

    private static IEnumerable<Brand> Brands(string department, params string[] categories) =>
        from category in categories
        from number in Enumerable.Range(1, PerCategory)
        select new Brand(string.Create(CultureInfo.InvariantCulture, $"{category} {number:00}"), category, department);
}
