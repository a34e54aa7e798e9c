using Smc.Collections;
using Smc.Memory;

namespace Smc.Stress;

/// <summary>
/// Random graphs of rows with cycles, in which rows are retired, removed, led to others and put into a map that keeps them; each is compared with mark and sweep over the same graph in ordinary objects. While every other graph changes, a
/// thread scans: then a row that nothing refers to may be gone at any time, and is not led to before that is known.
/// </summary>
internal static class RetiredGraphs
{
    private const int Rounds = 3;

    /// <summary>Compares so many graphs.</summary>
    /// <returns>An exit code.</returns>
    public static int Run(int graphs, int seed)
    {
        long rows = 0, kept = 0, scans = 0;
        for (int graph = 0; graph < graphs; graph++)
        {
            try
            {
                Graph one = new(new Random(unchecked((seed * 1_000_003) + graph)), isScanned: graph % 2 == 1);
                one.Run();
                rows += one.Rows;
                kept += one.Kept;
                scans += one.Scans;
            }
            catch (ViolationException violation)
            {
                Console.WriteLine($"graph {graph} of seed {seed}: {violation.Message}");
                return ExitCode.Violated;
            }
        }
        Console.WriteLine($"{graphs:N0} graphs as mark and sweep leaves them: {rows:N0} rows, {kept:N0} kept, {scans:N0} scans while graphs changed");
        return ExitCode.Held;
    }

    private sealed class Graph(Random random, bool isScanned)
    {
        private const int Keys = 4;

        private readonly List<Twin> _twins = [];
        private readonly Twin?[] _mapped = new Twin?[Keys];
        private bool _isOver;

        public int Rows => _twins.Count;

        public int Kept { get; private set; }

        public long Scans { get; private set; }

        public void Run()
        {
            using MemoryManager manager = new();
            Collection<Link>[] collections = [Links(manager), Links(manager)];
            using RootMap<int, Link> map = new(new OrderedMapOptions { Manager = manager });
            int count = random.Next(1, 60);
            for (int i = 0; i < count; i++)
            {
                Collection<Link> links = collections[random.Next(5) == 0 ? 1 : 0];
                _twins.Add(new Twin(links, links.Add(number: i, next: null, near: null, text: ""), i));
            }
            for (int round = 0; round < Rounds; round++)
            {
                Thread? scanner = isScanned ? new Thread(() => Scan(manager)) : null;
                scanner?.Start();
                for (int i = 0; i < 2 * count; i++) Change(map);
                Volatile.Write(ref _isOver, true);
                scanner?.Join();
                Volatile.Write(ref _isOver, false);
                if (random.Next(4) == 0) collections[0].Compact(new CompactionOptions { Occupancy = 0.9 });
                Compare(manager.CollectRetired());
            }
            foreach (Collection<Link> links in collections) Memory.Diagnostics.Invariants.Check(links.OpenContext());
        }

        private static Collection<Link> Links(MemoryManager manager) => new(new CollectionOptions { Manager = manager, BlockCapacity = 64, CompactionOccupancy = 0 });

        private void Scan(MemoryManager manager)
        {
            while (!Volatile.Read(ref _isOver))
            {
                if (manager.CollectRetired().Candidates > 0) Scans++;
            }
        }

        private void Change(RootMap<int, Link> map)
        {
            Twin twin = _twins[random.Next(_twins.Count)], target = _twins[random.Next(_twins.Count)];
            bool isNear = random.Next(3) == 0;
            try
            {
                switch (random.Next(7))
                {
                    case 0 or 1 or 2:
                        bool isNull = random.Next(3) == 0;
                        twin.Row.Store(isNull ? (Link?)null : target.Row, isNear);
                        // A row that the scan has condemned is null by now.
                        twin.Targets[isNear ? 1 : 0] = (isNear ? twin.Row.Near : twin.Row.Next) is null ? null : target;
                        break;
                    case 3 when random.Next(8) == 0:
                        twin.IsDead |= twin.Links.Remove(twin.Row);
                        break;
                    case 6:
                        int key = random.Next(Keys);
                        bool isTaken = random.Next(2) == 0;
                        if (isTaken) map.Remove(key);
                        else map.Set(key, target.Row);
                        _mapped[key] = isTaken ? null : target;
                        break;
                    default:
                        twin.IsRetired |= twin.Links.Retire(twin.Row);
                        break;
                }
            }
            catch (RowRemovedException)
            {
                // The row to be changed, or to be put into the map, is gone, and the comparison tells whether it should be.
            }
        }

        private void Compare(ScanResult result)
        {
            ViolationException.Require(result.IsComplete, "a scan that nobody ended was not complete");
            HashSet<Twin> kept = [];
            Stack<Twin> next = new(_twins.Where(twin => !twin.IsDead && (!twin.IsRetired || Array.IndexOf(_mapped, twin) >= 0)));
            while (next.TryPop(out Twin? twin))
            {
                if (!kept.Add(twin)) continue;
                foreach (Twin? target in twin.Targets)
                {
                    if (target is { IsDead: false }) next.Push(target);
                }
            }
            foreach (Twin twin in _twins)
            {
                ViolationException.Require(twin.Row.IsAlive == kept.Contains(twin), $"row {twin.Number} is {(twin.Row.IsAlive ? "there" : "gone")}, by mark and sweep it is not");
                twin.IsDead |= !kept.Contains(twin);
            }
            Kept = kept.Count;
        }
    }

    private sealed class Twin(Collection<Link> links, Link row, int number)
    {
        public Collection<Link> Links { get; } = links;

        public Link Row { get; } = row;

        public int Number { get; } = number;

        public Twin?[] Targets { get; } = new Twin?[2];

        public bool IsRetired { get; set; }

        public bool IsDead { get; set; }
    }
}
