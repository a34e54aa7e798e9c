namespace Smc.Stress.Linearizability;

/// <summary>What can be done with a key of a map.</summary>
internal enum MapAction
{
    Get,
    Set,
    Add,
    Remove,
    Update,
    AddOrUpdate,
}

/// <summary>One operation on one key, as its caller saw it.</summary>
/// <param name="Key">The key.</param>
/// <param name="Action">What was called.</param>
/// <param name="WasThere">What the call said: the key was in the map before. Set does not say.</param>
/// <param name="Before">The value that the call returned, or that its function was given.</param>
/// <param name="After">The value that the key has after the call, if the call sets one.</param>
/// <param name="Called">When the call began, on a clock that all threads share.</param>
/// <param name="Returned">When it had returned.</param>
internal readonly record struct MapOperation(int Key, MapAction Action, bool WasThere, long Before, long After, long Called, long Returned) : IHistoryOperation
{
    ulong IHistoryOperation.Object => (ulong)Key;

    public override string ToString() => $"{Action}({Before} -> {After}) -> {WasThere} [{Called}, {Returned}]";
}
