using BenchmarkDotNet.Running;

// dotnet run -c Release --project bench/Micro -- --filter '*'
BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
