using Smc.Collections;

namespace Smc.Stress;

/// <summary>Money beside an account: with it, the sum never changes between two groups of writes.</summary>
[Tabular]
public readonly partial struct Deposit
{
    public partial Account Holder { get; set; }

    /// <summary>The same account by its place.</summary>
    [Direct]
    public partial Account Via { get; set; }

    public partial long Amount { get; set; }

    public partial int? Tag { get; set; }
}
