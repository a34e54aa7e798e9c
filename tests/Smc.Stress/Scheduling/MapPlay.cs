using Smc.Collections;
using Smc.Memory;
using Smc.Memory.Diagnostics;
using Smc.Stress.Maps;

namespace Smc.Stress.Scheduling;

/// <summary>
/// A map with chunks of eight keys and everybody who uses it: the counterpart in code of models/orderedchunk.pml, with its properties C1 to C4. Keys divisible by ten stay; those of
/// adders come, those of removers go.
/// </summary>
internal sealed class MapPlay(MapCast cast) : Play
{
    private const int Capacity = 8;
    private const int Steady = 3;
    private const int KeysOfActor = 4;

    public override string Name => $"ordered map: {cast}";

    protected override int ExpectedSteps => 20 * (cast.Adders + cast.Removers) + 12 * (cast.Ascending + cast.Descending) + 8 * (cast.Setters + cast.Getters);

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        OrderedMap<int, long> map = new(
            new OrderedMapOptions { Manager = table.Context.Manager, ChunkCapacity = Capacity }, KeyCodec.For<int>(), new CopiesCodec());
        SortedDictionary<int, long> expected = [];
        // In ascending order, removers' keys first: several chunks, of which those of the removers become small.
        for (int remover = 0; remover < cast.Removers; remover++)
        {
            for (int i = 0; i < KeysOfActor; i++) map.Set(KeyOf(remover, i), 1);
        }
        for (int i = 0; i < Steady; i++) Add(i * MapScans.Step);
        for (int adder = 0; adder < cast.Adders; adder++)
        {
            int number = cast.Removers + adder;
            for (int i = 0; i < KeysOfActor; i++) expected.Add(KeyOf(number, i), number);
            scheduler.Add(() => Change(map, i => ViolationException.Require(map.TryAdd(KeyOf(number, i), number), "a key that was not there could not be added")));
        }
        for (int remover = 0; remover < cast.Removers; remover++)
        {
            int number = remover;
            scheduler.Add(() => Change(map, i => ViolationException.Require(map.Remove(KeyOf(number, i)), "a key that was there could not be removed")));
        }
        for (int setter = 0; setter < cast.Setters; setter++)
        {
            scheduler.Add(() => Change(map, i => map.Set(i % Steady * MapScans.Step, i + 1)));
        }
        for (int getter = 0; getter < cast.Getters; getter++)
        {
            scheduler.Add(() => Change(map, i => ViolationException.Require(map.TryGetValue(i % Steady * MapScans.Step, out _), "a key that is always there was not found")));
        }
        for (int scan = 0; scan < cast.Ascending + cast.Descending; scan++)
        {
            bool isDescending = scan >= cast.Ascending;
            scheduler.Add(() => Unless(map, () => MapScans.Check(map, 0, (Steady - 1) * MapScans.Step, isDescending, ControlledScheduler.Step)));
        }
        if (cast.Disposer) scheduler.Add(map.Dispose);
        AddAdvancer(scheduler, 3);
        return () => Check(map, expected);

        void Add(int key)
        {
            map.Set(key, 1);
            expected.Add(key, 1);
        }
    }

    // Spread over all chunks; never the last digit 0 or 9.
    private static int KeyOf(int actor, int i) => i % Steady * MapScans.Step + 1 + (actor * 2 + i / Steady) % 8;

    private static void Change(OrderedMap<int, long> map, Action<int> change) => Unless(map, () =>
    {
        for (int i = 0; i < KeysOfActor; i++)
        {
            change(i);
            ControlledScheduler.Step();
        }
    });

    private static void Unless(OrderedMap<int, long> map, Action act)
    {
        try
        {
            act();
        }
        catch (ObjectDisposedException) when (map.Table.Heap.IsDisposed)
        {
            // Expected: the disposer was faster.
        }
    }

    private void Check(OrderedMap<int, long> map, SortedDictionary<int, long> expected)
    {
        if (!cast.Disposer)
        {
            Invariants.Check(map.Table);
            ViolationException.Require(map.Keys.SequenceEqual(expected.Keys), $"the map has the keys {string.Join(' ', map.Keys)}, not {string.Join(' ', expected.Keys)}");
            ViolationException.Require(cast.Setters > 0 || map.Values.SequenceEqual(expected.Values), "a key has another value than it was given");
            map.Dispose();
        }
        // Chunks first, then the blocks that they were in.
        for (int i = 0; i < 3 * Epoch.Grace; i++) Epoch.TryAdvance();
    }
}
