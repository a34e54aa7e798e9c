namespace Smc.Collections;

/// <summary>
/// The type of <c>null</c> next to a row: it makes <c>row == null</c>, <c>null != row</c> and <c>row = null</c> compile and mean the null handle.
/// It has no instances.
/// </summary>
public sealed class NoRow
{
    private NoRow()
    {
    }
}
