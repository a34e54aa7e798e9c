using System.Diagnostics;
using System.Globalization;
using Smc.Collections;
using Smc.Collections.Saving;
using Smc.Collections.Tests;

namespace Smc.Saving.Tests;

/// <summary>A process that saves and kills itself at a step of that.</summary>
internal static class Victim
{
    public const string Verb = "--save-and-die";

    /// <summary>Rows of the file that is there before.</summary>
    public const int OldRows = 700;

    /// <summary>Rows of the file that the victim saves.</summary>
    public const int NewRows = 900;

    /// <summary>Saves to a path and dies at a step; ends as other programs do if the save has fewer.</summary>
    public static int Run(string[] arguments)
    {
        int left = int.Parse(arguments[1], CultureInfo.InvariantCulture);
        using Collection<Item> items = Items(NewRows);
        SaveSteps.Reached = _ =>
        {
            if (--left == 0)
                Process.GetCurrentProcess().Kill();
        };
        Database.Save(arguments[0], items);
        return 0;
    }

    public static Collection<Item> Items(int count)
    {
        Collection<Item> items = new("items");
        for (int i = 0; i < count; i++)
            items.Add(key: i, text: $"one of {count}");
        return items;
    }
}
