using System.Globalization;
using Smc.Memory;
using Smc.Stress.Change;
using Smc.Stress.Mutants;
using Smc.Stress.Scenarios;

namespace Smc.Stress;

/// <summary>The command line.</summary>
internal sealed record StressOptions
{
    public string Scenario { get; init; } = "all";

    public string? Mutant { get; init; }

    /// <summary>With the scenario <c>change</c>: names of mechanisms, with commas, or the first word of several names; all if null.</summary>
    public string? Mechanism { get; init; }

    /// <summary>Seconds for the whole run; several scenarios share them. With mutants: processor time for each at most.</summary>
    public double Seconds { get; init; } = 10;

    public int Threads { get; init; } = 4;

    public int Seed { get; init; } = 1;

    public bool List { get; init; }

    /// <summary>Runs with fenced epochs instead of the process-wide barrier.</summary>
    public bool Fenced { get; init; }

    /// <summary>How managers free that are not told otherwise; the library's default if null.</summary>
    public ReclamationMethod? Reclamation { get; init; }

    /// <summary>Guards freed memory: a late access ends the process.</summary>
    public bool Guard { get; init; }

    /// <summary>Reads a block after it was freed, to show what <see cref="Guard"/> does.</summary>
    public bool LateAccess { get; init; }

    /// <summary>Compares so many random graphs of retired rows with mark and sweep, instead of a scenario; 0 for none.</summary>
    public int Graphs { get; init; }

    /// <summary>Runs worlds of the scenario <c>change</c> in this process, and reports to the process that started it.</summary>
    public bool ChangeWorlds { get; init; }

    /// <summary>Looks for a mutant in this process, even if that may end it.</summary>
    public bool InThisProcess { get; init; }

    /// <summary>The flags that stand for a switch of the library, which the processes of <c>change</c> have to be given, too.</summary>
    public static IReadOnlyList<(string Flag, string Switch)> Switches { get; } =
        [("--fenced", "Smc.FencedEpochs"), ("--guard", "Smc.GuardPages")];

    public const string Usage =
        "usage: Smc.Stress [--list] [--scenario NAME|all] [--seconds N] [--threads N] [--seed N] [--mechanism NAME,…] [--mutant NAME|all] [--fenced] [--reclamation batch|amortised|tokenring] [--guard] [--late-access] [--graphs N]";

    public static bool TryParse(string[] args, out StressOptions options, out string problem)
    {
        options = new StressOptions();
        for (int i = 0; i < args.Length; i++)
        {
            if (TryTurnOn(ref options, args[i])) continue;
            if (i + 1 == args.Length || !TrySet(ref options, args[i], args[++i]))
            {
                problem = $"'{args[Math.Min(i, args.Length - 1)]}' is not understood. {Usage}";
                return false;
            }
        }
        problem = Check(options);
        return problem.Length == 0;
    }

    private static bool TryTurnOn(ref StressOptions options, string name)
    {
        switch (name)
        {
            case "--list":
                options = options with { List = true };
                return true;
            case "--fenced":
                options = options with { Fenced = true };
                return true;
            case "--guard":
                options = options with { Guard = true };
                return true;
            case "--change-worlds":
                options = options with { ChangeWorlds = true };
                return true;
            case "--in-this-process":
                options = options with { InThisProcess = true };
                return true;
            case "--late-access":
                options = options with { LateAccess = true };
                return true;
            default:
                return false;
        }
    }

    private static bool TrySet(ref StressOptions options, string name, string value)
    {
        CultureInfo culture = CultureInfo.InvariantCulture;
        switch (name)
        {
            case "--scenario":
                options = options with { Scenario = value };
                return true;
            case "--mutant":
                options = options with { Mutant = value };
                return true;
            case "--mechanism":
                options = options with { Mechanism = value };
                return true;
            case "--seconds" when double.TryParse(value, culture, out double seconds) && seconds > 0:
                options = options with { Seconds = seconds };
                return true;
            case "--threads" when int.TryParse(value, culture, out int threads) && threads is > 0 and <= 256:
                options = options with { Threads = threads };
                return true;
            case "--reclamation" when Enum.TryParse(value, ignoreCase: true, out ReclamationMethod method) && Enum.IsDefined(method):
                options = options with { Reclamation = method };
                return true;
            case "--graphs" when int.TryParse(value, culture, out int graphs) && graphs > 0:
                options = options with { Graphs = graphs };
                return true;
            case "--seed" when int.TryParse(value, culture, out int seed):
                options = options with { Seed = seed };
                return true;
            default:
                return false;
        }
    }

    private static string Check(StressOptions options)
    {
        if (!IsKnown(options.Scenario, ScenarioCatalog.All.Select(static scenario => scenario.Name)))
            return $"There is no scenario '{options.Scenario}'. There are: all, {string.Join(", ", ScenarioCatalog.All.Select(static s => s.Name))}.";
        if (options.Mutant is not null && !IsKnown(options.Mutant, MutantCatalog.All.Select(static mutant => mutant.Name)))
            return $"There is no mutant '{options.Mutant}'. There are: all, {string.Join(", ", MutantCatalog.All.Select(static m => m.Name))}.";
        if (MechanismCatalog.Find(options.Mechanism).Count == 0)
            return $"There is no mechanism '{options.Mechanism}'. There are: {string.Join(", ", MechanismCatalog.All.Select(static m => m.Name))}.";
        return "";
    }

    private static bool IsKnown(string name, IEnumerable<string> names) =>
        string.Equals(name, "all", StringComparison.Ordinal) || names.Contains(name, StringComparer.Ordinal);
}
