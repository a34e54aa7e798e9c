using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>The constants of a kernel that say where columns lie; only those that it uses are declared.</summary>
internal sealed class LayoutConstants
{
    private readonly SortedDictionary<string, string> _constants = new(StringComparer.Ordinal);

    /// <summary>From a block's base to the value in slot 0.</summary>
    public string Offset(TabularShape shape, ColumnShape column) => Declare(shape, column.Name, "", column.Offset);

    /// <summary>From one slot's value to the next.</summary>
    public string Stride(TabularShape shape, ColumnShape column) => Declare(shape, column.Name, "_Stride", column.Stride);

    /// <summary>From a block's base to the zone map of the column.</summary>
    public string Zone(TabularShape shape, ColumnShape column) => Declare(shape, column.Name, "_Zone", column.ZoneMapOffset);

    /// <summary>From a block's base to the null bitmap of the column.</summary>
    public string Nulls(TabularShape shape, ColumnShape column) => Declare(shape, column.Name, "_Nulls", column.NullBitmapOffset);

    /// <summary>The hash of the layout that the kernel was made for.</summary>
    public string Hash(TabularShape shape) => Declare(shape, "Layout", "", shape.LayoutHash);

    public IEnumerable<string> Declarations => _constants.Select(c => $"private const ulong {c.Key} = {c.Value};");

    private string Declare(TabularShape shape, string column, string suffix, long value) => Declare(shape, column, suffix, (ulong)value);

    private string Declare(TabularShape shape, string column, string suffix, ulong value)
    {
        string name = shape.Name + "_" + column + suffix;
        _constants[name] = value > int.MaxValue ? $"0x{value:X}" : value.ToString(System.Globalization.CultureInfo.InvariantCulture);
        return name;
    }
}
