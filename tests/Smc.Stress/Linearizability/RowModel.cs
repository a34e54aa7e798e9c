namespace Smc.Stress.Linearizability;

/// <summary>What a row does when one thread at a time uses it: not yet there, there with a value, removed for good.</summary>
internal readonly record struct RowModel(RowModel.Phase Life, long Value) : ISequentialModel<RowModel, RowOperation>
{
    public enum Phase
    {
        Before,
        Alive,
        Removed,
    }

    /// <inheritdoc/>
    public bool Allows(in RowOperation operation, out RowModel after)
    {
        after = this;
        if (operation.Action == RowAction.Add)
        {
            after = new RowModel(Phase.Alive, operation.Value);
            return Life == Phase.Before;
        }
        if (operation.Found != (Life == Phase.Alive)) return false;
        if (!operation.Found) return true;
        switch (operation.Action)
        {
            case RowAction.Read:
                return operation.Value == Value;
            case RowAction.Write:
                after = this with { Value = operation.Value };
                return true;
            case RowAction.Remove:
                after = new RowModel(Phase.Removed, 0);
                return true;
            default:
                return true;
        }
    }
}
