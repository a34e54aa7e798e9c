using Smc.Stress.Change;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Every mechanism of compiled queries while a thread writes, in worlds that are young and whose answer is known at every moment; each world in a process that may crash.
/// </summary>
internal sealed class ChangeScenario : Scenario
{
    /// <summary>A process takes about a second to start and to compile its kernels, so each gets several.</summary>
    private const double SecondsPerProcess = 5;

    public override string Name => "change";

    public override string Description => "one compiled query after the other while values, references and rows change, in processes of their own";

    public override Verdict Run(ScenarioRun run)
    {
        IReadOnlyList<ChangeMechanism> mechanisms = MechanismCatalog.Find(run.Mechanism);
        // A world has a thread that writes and one that asks.
        int atOnce = Math.Clamp(run.Threads / 2, 1, mechanisms.Count);
        int parts = Math.Clamp((int)(atOnce * run.Seconds / SecondsPerProcess), atOnce, mechanisms.Count);
        ChangeProcess[] processes =
        [
            .. Enumerable.Range(0, parts).Select(part => new ChangeProcess(
                [.. mechanisms.Where((_, i) => unchecked((uint)(i + run.Seed)) % parts == part)], run.Seed, run.Seconds * atOnce / parts, mutant: null)),
        ];
        List<ChangeFinding> findings = [];
        int next = -1;
        run.Work([.. Enumerable.Repeat<Action<Random>>(_ => TakeTurns(), atOnce)]);
        ViolationException.Require(findings.Count == 0, $"{findings.Count} of {mechanisms.Count} mechanisms fail\n  {string.Join("\n  ", findings)}");
        long worlds = processes.Sum(static process => process.Worlds);
        return Verdict.HeldIf(worlds > 0, $"{mechanisms.Count} mechanisms, {worlds:N0} worlds, {processes.Sum(static process => process.Queries):N0} queries, {processes.Sum(static process => process.Writes):N0} writes");

        void TakeTurns()
        {
            while (Interlocked.Increment(ref next) is var part && part < parts)
            {
                IReadOnlyList<ChangeFinding> found = processes[part].Run();
                lock (findings) findings.AddRange(found);
            }
        }
    }

    /// <summary>Tries for a while to see what one mechanism does with a mutant, and for less than that to see that it holds without one.</summary>
    public static void Attempt(string mechanism, int seed, string? mutant)
    {
        IReadOnlyList<ChangeFinding> found = new ChangeProcess(MechanismCatalog.Find(mechanism), seed, mutant is null ? 1 : SecondsPerProcess, mutant).Run();
        ViolationException.Require(found.Count == 0, found.Count == 0 ? "" : found[0].ToString());
    }
}
