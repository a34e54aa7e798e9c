namespace TpcH.Dbgen;

/// <summary>Items that are picked at random, each as often as its weight says. An item takes as many slots as its weight.</summary>
public sealed class PickTable<T>
{
    private readonly T[] slots;

    public PickTable(IEnumerable<WeightedItem<T>> items) =>
        slots = [.. items.SelectMany(item => Enumerable.Repeat(item.Item, item.Weight))];

    private PickTable(T[] slots) => this.slots = slots;

    public T Pick(ref RandomStream stream) => slots[stream.Between(1, slots.Length) - 1];

    /// <summary>The same weights over other items.</summary>
    public PickTable<TOther> Select<TOther>(Converter<T, TOther> convert) => new(Array.ConvertAll(slots, convert));
}

public readonly record struct WeightedItem<T>(T Item, int Weight);
