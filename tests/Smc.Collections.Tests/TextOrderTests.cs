using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Compiled comparisons of stored texts by their order.</summary>
public sealed class TextOrderTests
{
    private const int Rows = 200;

    [Fact]
    public void Rows_whose_texts_change_within_the_bounds_stay_in_the_answer()
    {
        string[] texts = ["bcd", "Zagreb and its surroundings", "cde \U0001F600 is not inline", "\uE000", "bcdefghijklmnop"];
        using Collection<Employee> employees = new();
        Employee[] all = [.. Enumerable.Range(0, Rows).Select(i => employees.Add(number: i, name: texts[i % texts.Length], salary: 1))];
        using CancellationTokenSource done = new();
        Thread writer = new(() =>
        {
            for (int i = 0; !done.IsCancellationRequested; i++)
            {
                Employee employee = all[i % Rows];
                employee.Name = texts[i / 7 % texts.Length];
            }
        });
        writer.Start();
        HashSet<int> counts = [];
        try
        {
            for (int i = 0; i < 500; i++)
                counts.Add(employees.Count(e => string.CompareOrdinal(e.Name, "Z") >= 0 && string.CompareOrdinal("\uE000\uE000", e.Name) > 0));
        }
        finally
        {
            done.Cancel();
            writer.Join();
        }

        Assert.Equal([Rows], counts);
    }
}
