using System.Globalization;
using Retire;

// dotnet run -c Release --project bench/Retire                       the tables of docs/retire.md
// dotnet run -c Release --project bench/Retire -- keep [SECONDS]     Retire, counts and stopped writers on lists, trees and orders
// dotnet run -c Release --project bench/Retire -- scan               the bandwidth at which a scan reads references
switch (args)
{
    case []:
        KeepingStudy.Run(seconds: 2);
        ScanStudy.Run();
        break;
    case ["keep"]:
        KeepingStudy.Run(seconds: 2);
        break;
    case ["keep", string seconds]:
        KeepingStudy.Run(double.Parse(seconds, CultureInfo.InvariantCulture));
        break;
    case ["scan"]:
        ScanStudy.Run();
        break;
    default:
        Console.Error.WriteLine("usage: Retire [keep [SECONDS] | scan]");
        return 2;
}
return 0;
