namespace Smc.PackageTests;

/// <summary>A program whose queries use private members of a class, a struct and a generic class.</summary>
internal static class PrivateMembersSample
{
    /// <summary>What it prints: the answers, and how many kernels raised, for which LINQ to Objects would have answered.</summary>
    public const string Output = """
        87
        36
        a+3
        0

        """;

    /// <summary>Its text.</summary>
    public const string Program = """
        using System.Diagnostics.Metrics;
        using Smc.Collections;

        long repeats = 0;
        using MeterListener listener = new();
        listener.InstrumentPublished = static (instrument, l) => { if (instrument is { Name: "smc.query.repeats" }) l.EnableMeasurementEvents(instrument); };
        listener.SetMeasurementEventCallback<long>((_, count, _, _) => repeats += count);
        listener.Start();

        using Collection<Item> items = new();
        for (int i = 0; i < 10; i++)
            items.Add(number: i);
        Console.WriteLine(new Rules(3).Sum(items));
        Console.WriteLine(Band.Sum(items, new Band(2)));
        Console.WriteLine(Box<string>.Label(items, new Box<string>("a")));
        Console.WriteLine(repeats);

        [Tabular]
        public readonly partial struct Item
        {
            public partial int Number { get; set; }
        }

        internal class Rules(int limit)
        {
            private static readonly int s_more = 4;
            private readonly int _limit = limit;

            public int Sum(IEnumerable<Item> items) => Query.Run(items, this, static (items, it) => items.Where(i => i.Number > it._limit).Sum(i => it.Score(i.Number) + it.Virtual() + Same(i.Number) + s_more));

            protected virtual int Virtual() => 1;

            private int Score(int number)
            {
                while (number > _limit)
                    number--;
                return number;
            }

            private static int Same(int number)
            {
                int sum = number;
                sum += number;
                return sum - number;
            }
        }

        internal readonly struct Band(int least)
        {
            private readonly int _least = least;

            public static int Sum(IEnumerable<Item> items, Band band) => Query.Run(items, band, static (items, band) => items.Where(i => band.Has(i.Number)).Sum(i => i.Number - band._least + 2 / band._least));

            private bool Has(int number)
            {
                int above = number;
                above -= _least;
                return above >= 0;
            }
        }

        internal class Box<T>(T value)
            where T : class, IComparable<T>
        {
            private readonly T _value = value;

            public static string Label(IEnumerable<Item> items, Box<string> box) => Query.Run(items, box, static (items, box) => items.Where(i => i.Number == 3).Select(i => box.With(box._value, i.Number)).First());

            private string With<TNumber>(T first, TNumber number)
                where TNumber : struct
            {
                string text = first + "+";
                text += number;
                return text;
            }
        }
        """;
}
