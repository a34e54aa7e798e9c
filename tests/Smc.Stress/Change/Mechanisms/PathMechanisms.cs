using Smc.Collections;

namespace Smc.Stress.Change.Mechanisms;

/// <summary>Conditions on the rows at the ends of two paths of references. All steps of the paths change.</summary>
internal static class PathMechanisms
{
    private const int Sides = 5;
    private const int Towns = 100;
    private const int Counties = 20;

    public static IEnumerable<ChangeMechanism> All =>
    [
        Of("pair-of-ends", "a trip passes that begins inside and stays on one side, wherever on that side its towns and their counties are", Write.Any, static map => Answers.Count(
            map.Trips.Rows.LongCount(t => t.From.Status >= 10 && t.From.Status < 90 && t.To.Status >= 0 && t.From.County.Side == t.To.County.Side), map.TripsOnOneSide)),
        Of("pair-of-ends-text", "a trip passes between two sides, told by the texts of the counties", Write.Any, static map => Answers.Count(
            Between(map.Trips.Rows, Word.SharedOf(0), Word.SharedOf(1)), map.TripsBetween)),
        Of("pair-of-removed-ends", "a trip passes that stays on one side, also when counties go and others come", Write.NewCounty, static map => Answers.Count(
            map.Trips.Rows.LongCount(t => t.From.Status >= 10 && t.From.Status < 90 && t.To.Status >= 0 && t.From.County.Side == t.To.County.Side), map.TripsOnOneSide), removes: true),
        Of("pair-of-removed-ways", "a trip passes that stays on one side, also when towns go and others come", Write.NewTown, static map => Answers.Count(
            map.Trips.Rows.LongCount(t => t.From.Status >= 10 && t.From.Status < 90 && t.To.Status >= 0 && t.From.County.Side == t.To.County.Side), map.TripsOnOneSide), removes: true),
        Of("pair-of-ends-behind", "a trip passes whose two conditions on the sides of its ends, in one query, hold", Write.Any, static map => Answers.Count(
            map.Trips.Rows.LongCount(t => t.From.Status >= 10 && t.From.Status < 90 && t.To.Status >= 0 && t.From.County.Side >= t.To.County.Side && t.From.County.Side - t.To.County.Side < 1), map.TripsOnOneSide)),
    ];

    private static long Between(Collection<Trip> trips, string first, string second) => trips.LongCount(t =>
        (t.From.County.Label == first && t.To.County.Label == second) || (t.From.County.Label == second && t.To.County.Label == first));

    private static ChangeMechanism Of(string name, string promise, Action<Map, Random, int> write, Action<Map> ask, bool removes = false) => new(name, promise, setting =>
    {
        Map map = new(setting);
        return new ChangeWorld(setting.Rows, (random, i) => write(map, random, i), () => ask(map)) { RemovesReferencedRows = removes };
    });

    /// <summary>Trips between towns; every town stays on its side, and inside or outside.</summary>
    private sealed class Map
    {
        private readonly ChangeSetting _setting;

        public Map(ChangeSetting setting)
        {
            _setting = setting;
            Counties = setting.Table<County>(PathMechanisms.Counties, static (rows, i) => County.Add(rows, i % Sides));
            Towns = setting.Table<Town>(PathMechanisms.Towns, (rows, i) => rows.Add(status: StatusAt(i), county: Counties.Handles[i % PathMechanisms.Counties]));
            Trips = setting.Table<Trip>((rows, i) => rows.Add(number: i, from: Towns.Handles[FromAt(i)], to: Towns.Handles[ToAt(i)]));
            int[] all = [.. Enumerable.Range(0, setting.Rows)];
            TripsOnOneSide = all.Count(i => Members.IsInside(StatusAt(FromAt(i))) && SideAt(FromAt(i)) == SideAt(ToAt(i)));
            TripsBetween = all.Count(i => SideAt(FromAt(i)) + SideAt(ToAt(i)) == 1);
        }

        public ChangeTable<County> Counties { get; }

        public ChangeTable<Town> Towns { get; }

        public ChangeTable<Trip> Trips { get; }

        public int TripsOnOneSide { get; }

        public int TripsBetween { get; }

        public int FromAt(int trip) => _setting.NumberAt(trip, PathMechanisms.Towns);

        public int ToAt(int trip) => _setting.NumberAt(((trip * 3) + 1) % _setting.Rows, PathMechanisms.Towns);

        public static int SideAt(int town) => town % Sides;

        private static int StatusAt(int town) => town % Members.Values;

        /// <summary>Another town on the same side that is inside if this one is.</summary>
        public static int MoveTown(Random random, int town)
        {
            int other;
            do other = (random.Next(PathMechanisms.Towns / Sides) * Sides) + SideAt(town);
            while (Members.IsInside(StatusAt(other)) != Members.IsInside(StatusAt(town)));
            return other;
        }
    }

    private static class Write
    {
        public static void Any(Map map, Random random, int i)
        {
            int town = i % Towns;
            switch (random.Next(3))
            {
                case 0: map.Trips.Handles[i].From = map.Towns.Handles[Map.MoveTown(random, map.FromAt(i))]; break;
                case 1: map.Trips.Handles[i].To = map.Towns.Handles[Map.MoveTown(random, map.ToAt(i))]; break;
                default: map.Towns.Handles[town].County = map.Counties.Handles[(random.Next(Counties / Sides) * Sides) + Map.SideAt(town)]; break;
            }
        }

        /// <summary>Gives a town a county of its own and removes the one of its own that it had before.</summary>
        public static void NewCounty(Map map, Random random, int i)
        {
            if (random.Next(8) != 0) return;
            int town = i % Towns;
            County old = map.Towns.Handles[town].County;
            map.Towns.Handles[town].County = County.Add(map.Counties.Rows, Map.SideAt(town));
            // Other towns may lie in the counties that were there at the beginning: those stay.
            if (!map.Counties.Handles.Contains(old)) map.Counties.Rows.Remove(old);
        }

        /// <summary>Lets a trip begin in a town of its own and removes the one of its own that it had before.</summary>
        public static void NewTown(Map map, Random random, int i)
        {
            if (random.Next(8) != 0) return;
            Trip trip = map.Trips.Handles[i];
            Town old = trip.From;
            trip.From = map.Towns.Rows.Add(status: old.Status, county: old.County);
            if (!map.Towns.Handles.Contains(old)) map.Towns.Rows.Remove(old);
        }
    }
}
