namespace TpcH.Aging;

/// <summary>What has happened to collections since they were loaded, or happens while queries run.</summary>
internal enum AgedWorld
{
    /// <summary>A thread changes 10,000 rows a second, to the values that they have.</summary>
    Writer,

    /// <summary>References of one line item and one order in a thousand are null or lead to a removed row.</summary>
    BadReferences,

    /// <summary>1 % of the line items are gone, and rows of all tables that are referred to.</summary>
    OneInHundredRemoved,

    /// <summary>Half of the line items are gone, and rows of all tables that are referred to.</summary>
    HalfRemoved,
}
