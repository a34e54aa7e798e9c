// dotnet run -c Release --project bench/Parts
Parts.PartsStudy.Run();
