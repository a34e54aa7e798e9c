using BenchmarkDotNet.Running;
using Micro;

// dotnet run -c Release --project bench/Micro -- --filter '*'
// dotnet run -c Release --project bench/Micro -- reclamation
if (args is [ReclamationStudy.Verb, .. var rest])
    ReclamationStudy.Run(rest);
else
    BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
