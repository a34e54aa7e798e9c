namespace Star;

/// <summary>A city with what it is in.</summary>
internal sealed record Place(string City, string Nation, string Region)
{
    /// <summary>Five regions of four nations of four cities. Some names are not ASCII.</summary>
    public static IReadOnlyList<Place> All { get; } =
    [
        .. Cities("North", "Denmark", "Copenhagen", "Aarhus", "Odense", "Aalborg"),
        .. Cities("North", "Finland", "Helsinki", "Tampere", "Turku", "Oulu"),
        .. Cities("North", "Norway", "Oslo", "Bergen", "Trondheim", "Stavanger"),
        .. Cities("North", "Sweden", "Stockholm", "Gothenburg", "Malmö", "Uppsala"),
        .. Cities("South", "Greece", "Athens", "Patras", "Larissa", "Heraklion"),
        .. Cities("South", "Italy", "Milan", "Turin", "Naples", "Bologna"),
        .. Cities("South", "Portugal", "Lisbon", "Porto", "Braga", "Coimbra"),
        .. Cities("South", "Spain", "Madrid", "Valencia", "Seville", "Bilbao"),
        .. Cities("West", "Belgium", "Antwerp", "Ghent", "Bruges", "Liège"),
        .. Cities("West", "Ireland", "Dublin", "Cork", "Galway", "Limerick"),
        .. Cities("West", "Netherlands", "Rotterdam", "Utrecht", "Eindhoven", "Groningen"),
        .. Cities("West", "Switzerland", "Zürich", "Geneva", "Basel", "Bern"),
        .. Cities("Centre", "Austria", "Vienna", "Graz", "Linz", "Salzburg"),
        .. Cities("Centre", "Czechia", "Prague", "Brno", "Ostrava", "Plzeň"),
        .. Cities("Centre", "Hungary", "Budapest", "Debrecen", "Szeged", "Pécs"),
        .. Cities("Centre", "Poland", "Warsaw", "Kraków", "Gdańsk", "Poznań"),
        .. Cities("East", "Bulgaria", "Sofia", "Plovdiv", "Varna", "Burgas"),
        .. Cities("East", "Estonia", "Tallinn", "Tartu", "Narva", "Pärnu"),
        .. Cities("East", "Latvia", "Riga", "Daugavpils", "Liepāja", "Jelgava"),
        .. Cities("East", "Lithuania", "Vilnius", "Kaunas", "Klaipėda", "Šiauliai"),
    ];

    private static IEnumerable<Place> Cities(string region, string nation, params string[] cities) =>
        cities.Select(city => new Place(city, nation, region));
}
