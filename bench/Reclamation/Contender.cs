using Smc.Memory;
using Smc.Memory.Reclamation;

namespace Reclamation;

/// <summary>A policy as the table names it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Make">Makes it.</param>
/// <param name="HasIdleThread">True to run it beside a thread that does nothing.</param>
internal sealed record Contender(string Name, Func<ReclamationPolicy> Make, bool HasIdleThread = false)
{
    public static Contender Batch { get; } = new("batch", static () => ReclamationPolicy.Of(ReclamationMethod.Batch));

    public static Contender Amortised { get; } = new("amortised", static () => ReclamationPolicy.Of(ReclamationMethod.Amortised));

    public static Contender TokenRing { get; } = new("token ring", static () => ReclamationPolicy.Of(ReclamationMethod.TokenRing));

    public static IReadOnlyList<Contender> All { get; } =
    [
        Batch,
        new("batch, short epochs", static () => new ShortBatches()),
        Amortised,
        TokenRing,
        new("token ring, a thread idle", static () => ReclamationPolicy.Of(ReclamationMethod.TokenRing), HasIdleThread: true),
        new("token ring, naive", static () => new BatchTokenRing(TokenForm.Naive)),
        new("token ring, pass first", static () => new BatchTokenRing(TokenForm.PassFirst)),
        new("token ring, periodic", static () => new BatchTokenRing(TokenForm.Periodic)),
    ];

    public MemoryManager MakeManager() => new(new MemoryManagerOptions { Name = Name, Garbage = GarbageBudget.Unlimited }, Make());
}
