using Smc.Collections;

namespace Smc.Stress;

/// <summary>A row that tenants refer to.</summary>
[Tabular]
public readonly partial struct Landlord
{
    public partial int Number { get; set; }
}

/// <summary>A row with a reference of each behaviour.</summary>
[Tabular]
public readonly partial struct Tenant
{
    public partial int Number { get; set; }

    [OnRemove(RemoveBehavior.Cascade)]
    public partial Landlord? Of { get; set; }

    [OnRemove(RemoveBehavior.SetNull)]
    public partial Landlord? Former { get; set; }

    [OnRemove(RemoveBehavior.Restrict)]
    public partial Landlord? Keeper { get; set; }

    /// <summary>Throws if a row that is there names one that was removed.</summary>
    internal static void RequireUnnamed(Collection<Tenant> tenants, Landlord gone)
    {
        foreach (Tenant tenant in tenants)
        {
            try
            {
                ViolationException.Require(tenant.Of != gone && tenant.Former != gone && tenant.Keeper != gone, $"tenant {tenant.Number} names a row that was removed");
            }
            catch (RowRemovedException)
            {
                // It has gone with another one meanwhile.
            }
        }
    }
}
