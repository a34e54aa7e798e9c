using Smc.Memory;

namespace Smc.Stress.Scenarios;

internal static class ScenarioCatalog
{
    public static IReadOnlyList<Scenario> All { get; } =
    [
        new HandleScenario(rowLayout: false),
        new HandleScenario(rowLayout: true),
        new LinearizabilityScenario(),
        new ScanScenario(),
        new UpdateScenario(),
        new StringScenario(),
        new StringCompactionScenario(),
        new SliceScenario(),
        new OrderedMapScenario(),
        new QueryScenario(degree: 1),
        new QueryScenario(degree: 3),
        new ChangeScenario(),
        new CodeScenario(),
        new IndexScenario(),
        new OrderedIndexScenario(),
        new SnapshotScenario(),
        new RetireScenario(),
        new OnRemoveScenario(),
        new CompactionScenario(rowLayout: false),
        new CompactionScenario(rowLayout: true),
        new ShrinkingScenario(),
        new StalledReaderScenario(),
        new GarbageBudgetScenario(),
        new ReclamationScenario(ReclamationMethod.Batch),
        new ReclamationScenario(ReclamationMethod.Amortised),
        new ReclamationScenario(ReclamationMethod.TokenRing),
        new ThreadScenario(),
        new DisposeScenario(),
        new RangeScenario(),
        new MemoryLimitScenario(),
        new EverythingScenario(),
        new ScheduleScenario(),
        new LitmusScenario(),
    ];
}
