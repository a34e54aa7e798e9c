using Smc.Collections.Kernels;

namespace Smc.Collections;

/// <summary>Methods that every tabular type has.</summary>
public static class RowExtensions
{
    /// <summary>Returns the row, or <c>null</c> if it is the null handle.</summary>
    /// <remarks>
    /// The conversion of C# from <c>Customer</c> to <c>Customer?</c> makes a value that is not null, whatever the handle is. Use this where a handle
    /// may be null: <c>Customer? found = customers.FirstOrDefault(c => c.Id == id).OrNull();</c>
    /// </remarks>
    /// <param name="row">The row or the null handle. A row that has been removed is not null.</param>
    /// <typeparam name="T">The tabular type.</typeparam>
    public static T? OrNull<T>(this T row)
        where T : unmanaged, ITabular => RowHandle.FromBitsNullable<T>(RowHandle.ToBits(row));
}
