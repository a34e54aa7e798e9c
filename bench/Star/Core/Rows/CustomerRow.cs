namespace Star;

public readonly record struct CustomerRow(int Key, string Name, string City, string Nation, string Region, string Segment);
