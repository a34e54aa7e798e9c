using System.Globalization;

namespace Smc.QueryCompiler.Fuzz;

/// <summary>The command line.</summary>
internal sealed record FuzzOptions
{
    public const string Usage = "usage: Smc.QueryCompiler.Fuzz [--seed N] [--queries N] [--minutes N] [--size N] [--shrink N] [--reasons N] [--change | --snapshot | --time]";

    /// <summary>The first batch has this seed, each further one the next.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>How many queries at least; no limit when only minutes are given.</summary>
    public int Queries { get; init; } = 2000;

    public double? Minutes { get; init; }

    /// <summary>Queries that are compiled together.</summary>
    public int BatchSize { get; init; } = 400;

    /// <summary>How many failures of each kind are shrunk; further ones are only counted.</summary>
    public int ShrunkPerKind { get; init; } = 2;

    /// <summary>How many reasons of fallbacks are listed.</summary>
    public int Reasons { get; init; } = 25;

    /// <summary>Whether the rows change while the queries run.</summary>
    public bool IsChanging { get; init; }

    /// <summary>Whether queries are asked through a snapshot, after the rows have changed.</summary>
    public bool ReadsSnapshots { get; init; }

    /// <summary>Whether queries are timed against LINQ to Objects, not compared.</summary>
    public bool IsTimed { get; init; }

    public static bool TryParse(string[] args, out FuzzOptions options)
    {
        options = new FuzzOptions { IsChanging = args.Contains("--change"), ReadsSnapshots = args.Contains("--snapshot"), IsTimed = args.Contains("--time") };
        args = [.. args.Where(a => a is not ("--change" or "--snapshot" or "--time"))];
        for (int i = 0; i + 1 < args.Length; i += 2)
        {
            if (!double.TryParse(args[i + 1], NumberStyles.Float, CultureInfo.InvariantCulture, out double value) || value < 0)
                return false;
            switch (args[i])
            {
                case "--seed": options = options with { Seed = (int)value }; break;
                case "--queries": options = options with { Queries = (int)value }; break;
                case "--minutes": options = options with { Minutes = value, Queries = args.Contains("--queries") ? options.Queries : int.MaxValue }; break;
                case "--size": options = options with { BatchSize = Math.Max(1, (int)value) }; break;
                case "--shrink": options = options with { ShrunkPerKind = (int)value }; break;
                case "--reasons": options = options with { Reasons = (int)value }; break;
                default: return false;
            }
        }

        return args.Length % 2 == 0;
    }
}
