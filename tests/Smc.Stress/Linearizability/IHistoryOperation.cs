namespace Smc.Stress.Linearizability;

/// <summary>One operation on one of many independent objects, as its caller saw it.</summary>
internal interface IHistoryOperation
{
    /// <summary>Tells the object from the others.</summary>
    ulong Object { get; }

    /// <summary>When the call began, on a clock that all threads share.</summary>
    long Called { get; }

    /// <summary>When it had returned.</summary>
    long Returned { get; }
}
