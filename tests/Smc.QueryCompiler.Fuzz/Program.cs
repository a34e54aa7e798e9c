using Smc.QueryCompiler.Fuzz;
using Smc.QueryCompiler.Fuzz.Change;
using Smc.QueryCompiler.Fuzz.Running;

if (args is [ChangeRunner.ChildCommand, .. string[] given])
    return ChangeProcess.Run(given);

if (!FuzzOptions.TryParse(args, out FuzzOptions options))
{
    Console.Error.WriteLine(FuzzOptions.Usage);
    return 2;
}

if (options.IsTimed)
{
    new TimedQueries(options, Console.Out.WriteLine).Run();
    return 0;
}

BatchRunner.ReadsSnapshots = options.ReadsSnapshots;
FuzzRun run = new(options, Console.Error.WriteLine);
run.Run();
Console.WriteLine(run.Summary());
return run.Failures.Count == 0 ? 0 : 1;
