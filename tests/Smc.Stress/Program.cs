using Smc.Memory.Reclamation;
using Smc.Stress;
using Smc.Stress.Change;
using Smc.Stress.Mutants;
using Smc.Stress.Scenarios;

if (!StressOptions.TryParse(args, out StressOptions options, out string problem))
{
    Console.Error.WriteLine(problem);
    return ExitCode.Usage;
}
if (options.Fenced) AppContext.SetSwitch("Smc.FencedEpochs", true);
if (options.Reclamation is { } method) AppContext.SetData(ReclamationDefault.Setting, method.ToString());
if (options.Guard) AppContext.SetSwitch("Smc.GuardPages", true);
if (options.LateAccess) return LateAccess.Run();
if (options.Graphs > 0) return RetiredGraphs.Run(options.Graphs, options.Seed);
if (options.ChangeWorlds)
{
    MutantCatalog.All.FirstOrDefault(mutant => string.Equals(mutant.Name, options.Mutant, StringComparison.Ordinal))?.Switch(true);
    return ChangeWorlds.Run(options);
}
if (options.List)
{
    foreach (Scenario scenario in ScenarioCatalog.All) Console.WriteLine($"scenario  {scenario.Name,-28} {scenario.Description}");
    foreach (Mutant mutant in MutantCatalog.All) Console.WriteLine($"mutant    {mutant.Name,-28} {mutant.Description}");
    foreach (ChangeMechanism mechanism in MechanismCatalog.All) Console.WriteLine($"mechanism {mechanism.Name,-28} {mechanism.Promise}");
    return ExitCode.Held;
}
return options.Mutant is not null ? MutantRunner.Run(options) : ScenarioRunner.Run(options);
