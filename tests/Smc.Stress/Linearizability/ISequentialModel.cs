namespace Smc.Stress.Linearizability;

/// <summary>The state of an object when one thread at a time uses it. The default value is the state before the first operation.</summary>
internal interface ISequentialModel<TSelf, TOperation>
{
    /// <summary>True if the operation, done in this state, says what it said.</summary>
    /// <param name="operation">The operation with its outcome.</param>
    /// <param name="after">The state after it.</param>
    bool Allows(in TOperation operation, out TSelf after);
}
