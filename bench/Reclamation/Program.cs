using Reclamation;

// dotnet run -c Release --project bench/Reclamation                    the table of docs/reclamation.md
// dotnet run -c Release --project bench/Reclamation -- pictures DIR    its pictures, and a trace for Perfetto
// dotnet run -c Release --project bench/Reclamation -- timeline        what a running timeline costs
switch (args)
{
    case [] or ["table", ..]:
        Study.Run(threads: args is [_, string threads, ..] ? int.Parse(threads, System.Globalization.CultureInfo.InvariantCulture) : 2);
        break;
    case ["pictures", string directory]:
        Pictures.Write(directory);
        break;
    case ["timeline"]:
        TimelineCost.Run();
        break;
    default:
        Console.Error.WriteLine("usage: Reclamation [table [THREADS] | pictures DIRECTORY | timeline]");
        return 2;
}
return 0;
