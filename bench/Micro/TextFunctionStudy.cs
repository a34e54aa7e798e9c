using System.Diagnostics;
using System.Globalization;
using Smc.Collections;

namespace Micro;

/// <summary>
/// Methods of strings in conditions and keys, beside LINQ over classes: over texts that many rows share, of which each is asked once, and over texts of one row each. Answers are compared before
/// times are printed.
/// </summary>
internal static class TextFunctionStudy
{
    public const string Verb = "text-functions";

    private const int Rows = 1_000_000;
    private const int Rounds = 9;

    public static void Run()
    {
        foreach (int texts in new[] { 1_000, Rows })
        {
            using Collection<Note> notes = new();
            List<ManagedNote> managed = [];
            Random random = new(1);
            for (int i = 0; i < Rows; i++)
            {
                string text = "customer " + (texts == Rows ? i : random.Next(texts)).ToString(CultureInfo.InvariantCulture);
                notes.Add(id: i, text: text);
                managed.Add(new ManagedNote { Id = i, Text = text });
            }

            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{Rows:N0} rows, {texts:N0} texts"));
            Print("StartsWith, culture", () => notes.Count(n => n.Text.StartsWith("customer 1", StringComparison.CurrentCulture)), () => managed.Count(n => n.Text.StartsWith("customer 1", StringComparison.CurrentCulture)));
            Print("StartsWith, ignoring case", () => notes.Count(n => n.Text.StartsWith("CUSTOMER 1", StringComparison.OrdinalIgnoreCase)), () => managed.Count(n => n.Text.StartsWith("CUSTOMER 1", StringComparison.OrdinalIgnoreCase)));
            Print("Equals, ignoring case", () => notes.Count(n => n.Text.Equals("CUSTOMER 77", StringComparison.OrdinalIgnoreCase)), () => managed.Count(n => n.Text.Equals("CUSTOMER 77", StringComparison.OrdinalIgnoreCase)));
            Print("Contains, ignoring case", () => notes.Count(n => n.Text.Contains("ER 77", StringComparison.OrdinalIgnoreCase)), () => managed.Count(n => n.Text.Contains("ER 77", StringComparison.OrdinalIgnoreCase)));
            Print("Length", () => notes.Sum(n => n.Text.Length), () => managed.Sum(n => n.Text.Length));
            Print("ToUpperInvariant", () => notes.Count(n => n.Text.ToUpperInvariant() == "CUSTOMER 77"), () => managed.Count(n => n.Text.ToUpperInvariant() == "CUSTOMER 77"));
            Print("int.Parse of Substring", () => notes.Count(n => int.Parse(n.Text.Substring(9), CultureInfo.InvariantCulture) % 10 == 7), () => managed.Count(n => int.Parse(n.Text.Substring(9), CultureInfo.InvariantCulture) % 10 == 7));
            Print("groups by a character", () => notes.GroupBy(n => n.Text[9]).Select(g => g.Count()).Max(), () => managed.GroupBy(n => n.Text[9]).Select(g => g.Count()).Max());
        }
    }

    private static void Print(string what, Func<int> ask, Func<int> linq)
    {
        double best = double.MaxValue, bestOfLinq = double.MaxValue;
        for (int round = 0; round < Rounds; round++)
        {
            int answer = Time(ask, ref best), expected = Time(linq, ref bestOfLinq);
            if (answer != expected)
                throw new InvalidOperationException($"{what}: {answer}, and LINQ says {expected}.");
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {what,-26} {best,6:F1} ms, LINQ {bestOfLinq,6:F1} ms: {bestOfLinq / best:F1} times"));
    }

    private static int Time(Func<int> ask, ref double best)
    {
        long start = Stopwatch.GetTimestamp();
        int answer = ask();
        best = Math.Min(best, Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        return answer;
    }
}
