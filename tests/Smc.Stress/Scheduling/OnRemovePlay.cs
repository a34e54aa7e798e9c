using Smc.Collections;
using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>
/// A landlord is removed while one tenant moves to another landlord, one is added to the landlord that goes, and one stores a reference to him. What each was told must fit what is left:
/// nobody names him when he is gone, nothing has changed when he is not, and who has moved stays. The invariants are those of decision 0034.
/// </summary>
/// <param name="restricts">Whether the reference that is stored restricts the removal. Otherwise it becomes null.</param>
internal sealed class OnRemovePlay(bool restricts) : Play
{
    private Collection<Landlord> _landlords = null!;
    private Collection<Tenant> _tenants = null!;
    private Landlord _target;
    private Landlord _other;
    private Tenant _moving;
    private Tenant _storing;
    private Tenant _former;

    public override string Name => $"on remove: {(restricts ? "restricted" : "set null")}";

    protected override int ExpectedSteps => 90;

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        MemoryManager manager = new();
        _landlords = new Collection<Landlord>(new CollectionOptions { Manager = manager, BlockCapacity = 4, CompactionOccupancy = 0 });
        _tenants = new Collection<Tenant>(new CollectionOptions { Manager = manager, BlockCapacity = 4, CompactionOccupancy = 0 });
        _target = _landlords.Add(number: 1);
        _other = _landlords.Add(number: 2);
        _moving = _tenants.Add(number: 1, of: _target);
        _storing = _tenants.Add(number: 2);
        _former = _tenants.Add(number: 3, former: _target);
        bool isRemoved = false, hasMoved = false, hasStored = false;
        Tenant? added = null;
        scheduler.Add(() =>
        {
            try
            {
                isRemoved = _landlords.Remove(_target);
            }
            catch (RowReferencedException refusal)
            {
                ViolationException.Require(restricts && _storing.Equals(refusal.Referrer), "the removal was refused, and nobody restricts it");
            }
        });
        scheduler.Add(() => hasMoved = Try(() => _moving.Of = _other));
        scheduler.Add(() => Try(() => added = _tenants.Add(number: 4, of: _target)));
        scheduler.Add(() => hasStored = Try(Store));
        return () =>
        {
            Check(isRemoved, hasMoved, hasStored, added);
            Memory.Diagnostics.Invariants.Check(_tenants.OpenContext());
            _tenants.Dispose();
            _landlords.Dispose();
            for (int i = 0; i < 4 * Epoch.Grace; i++) Epoch.TryAdvance();
            ViolationException.Require(manager.MappedBytes == 0, $"{manager.MappedBytes:N0} bytes are mapped after everything was disposed");
            manager.Dispose();
        };
    }

    private static bool Try(Action change)
    {
        try
        {
            change();
            return true;
        }
        catch (RowRemovedException)
        {
            return false;
        }
    }

    private void Store()
    {
        if (restricts) _storing.Keeper = _target;
        else _storing.Former = _target;
    }

    private void Check(bool isRemoved, bool hasMoved, bool hasStored, Tenant? added)
    {
        ViolationException.Require(isRemoved != _target.IsAlive, "the removal does not say what it did");
        ViolationException.Require(hasMoved == _moving.IsAlive && (!hasMoved || _moving.Of == _other), "who has moved is not there, or who was told that he is gone is");
        if (isRemoved)
        {
            Tenant.RequireUnnamed(_tenants, _target);
            ViolationException.Require(added is not { IsAlive: true }, "who was added to the landlord has stayed");
            ViolationException.Require(!restricts || !hasStored, "a row that restricts the removal was admitted");
        }
        else
        {
            ViolationException.Require(restricts && hasStored && hasMoved, "the removal was refused, but somebody was told that the row is gone");
            ViolationException.Require(_storing.Keeper == _target && _former.Former == _target && added is { IsAlive: true } there && there.Of == _target, "a refused removal has changed something");
        }
    }
}
