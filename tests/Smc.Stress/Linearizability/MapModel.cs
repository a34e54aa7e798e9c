namespace Smc.Stress.Linearizability;

/// <summary>What a key of a map does when one thread at a time uses it: absent, or there with a value.</summary>
internal readonly record struct MapModel(bool IsThere, long Value) : ISequentialModel<MapModel, MapOperation>
{
    /// <inheritdoc/>
    public bool Allows(in MapOperation operation, out MapModel after)
    {
        after = this;
        if (operation.Action == MapAction.Set)
        {
            after = new MapModel(true, operation.After);
            return true;
        }
        if (operation.WasThere != IsThere) return false;
        bool givesValue = operation.Action is not MapAction.Add;
        if (IsThere && givesValue && operation.Before != Value) return false;
        switch (operation.Action)
        {
            case MapAction.Add when !IsThere:
            case MapAction.Update when IsThere:
            case MapAction.AddOrUpdate:
                after = new MapModel(true, operation.After);
                break;
            case MapAction.Remove:
                after = default;
                break;
        }
        return true;
    }
}
