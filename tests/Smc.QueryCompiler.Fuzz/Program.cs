using Smc.QueryCompiler.Fuzz;

if (!FuzzOptions.TryParse(args, out FuzzOptions options))
{
    Console.Error.WriteLine(FuzzOptions.Usage);
    return 2;
}

FuzzRun run = new(options, Console.Error.WriteLine);
run.Run();
Console.WriteLine(run.Summary());
return run.Failures.Count == 0 ? 0 : 1;
