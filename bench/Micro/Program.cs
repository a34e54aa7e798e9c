using BenchmarkDotNet.Running;
using Micro;

// dotnet run -c Release --project bench/Micro -- --filter '*'
// dotnet run -c Release --project bench/Micro -- compiler
// dotnet run -c Release --project bench/Micro -- queries
// dotnet run -c Release --project bench/Micro -- memory
// dotnet run -c Release --project bench/Micro -- take
// dotnet run -c Release --project bench/Micro -- slices
// dotnet run -c Release --project bench/Micro -- index
// dotnet run -c Release --project bench/Micro -- ordered-index
// dotnet run -c Release --project bench/Micro -- first-rows
// dotnet run -c Release --project bench/Micro -- listed-keys
// dotnet run -c Release --project bench/Micro -- partners
// dotnet run -c Release --project bench/Micro -- ordered-map
// dotnet run -c Release --project bench/Micro -- removing
// dotnet run -c Release --project bench/Micro -- deletion
// dotnet run -c Release --project bench/Micro -- streams
// dotnet run -c Release --project bench/Micro -- runs
// dotnet run -c Release --project bench/Micro -- pairs
// dotnet run -c Release --project bench/Micro -- lookups
// dotnet run -c Release --project bench/Micro -- codes
// dotnet run -c Release --project bench/Micro -- distinct-counts
// dotnet run -c Release --project bench/Micro -- text-functions
// dotnet run -c Release --project bench/Micro -- linked-list
// dotnet run -c Release --project bench/Micro -- arrow
if (args is [CompilerStudy.Verb])
    CompilerStudy.Run();
else if (args is [QueryStudy.Verb])
    QueryStudy.Run();
else if (args is [MemoryStudy.Verb])
    MemoryStudy.Measure();
else if (args is [TakeStudy.Verb, .. var writers])
    TakeStudy.Run(writers);
else if (args is [SliceStudy.Verb])
    SliceStudy.Run();
else if (args is [RemovingStudy.Verb])
    RemovingStudy.Run();
else if (args is [DeletionStudy.Verb, .. var sets])
    DeletionStudy.Run(sets);
else if (args is [StreamStudy.Verb])
    StreamStudy.Run();
else if (args is [RunStudy.Verb])
    RunStudy.Run();
else if (args is [PairStudy.Verb])
    PairStudy.Run();
else if (args is [ApartStudy.Verb])
    ApartStudy.Run();
else if (args is [CodeStudy.Verb])
    CodeStudy.Run();
else if (args is [LookUpStudy.Verb])
    LookUpStudy.Run();
else if (args is [DistinctStudy.Verb])
    DistinctStudy.Run();
else if (args is [TextFunctionStudy.Verb])
    TextFunctionStudy.Run();
else if (args is [LinkedListStudy.Verb])
    LinkedListStudy.Run();
else if (args is [ExportStudy.Verb])
    ExportStudy.Run();
else if (args is [IndexStudy.Verb, .. var sizes])
    IndexStudy.Run(sizes);
else if (args is [OrderedIndexStudy.Verb, .. var rows])
    OrderedIndexStudy.Run(rows);
else if (args is [FirstRowsStudy.Verb, .. var counts])
    FirstRowsStudy.Run(counts);
else if (args is [ListedKeyStudy.Verb, .. var lengths])
    ListedKeyStudy.Run(lengths);
else if (args is [PartnerStudy.Verb, .. var joined])
    PartnerStudy.Run(joined);
else if (args is [OrderedMapStudy.Verb, .. var pairs])
    OrderedMapStudy.Run(pairs);
else
    BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
