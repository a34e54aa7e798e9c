using Smc.Collections;
using Smc.Collections.Tests;
namespace Smc.Saving.Tests;

/// <summary>The same type of row at several times: what a program saved and what its next version loads.</summary>
public static partial class First
{
    [Tabular]
    public readonly partial struct Thing
    {
        public partial int Key { get; set; }

        public partial int Number { get; set; }

        public partial float Weight { get; set; }

        [Precision(9, 2)] public partial decimal Price { get; set; }

        public partial string Note { get; set; }

        public partial byte Level { get; set; }

        public partial Thing Parent { get; set; }
    }
}

/// <summary>Renamed, wider, with new properties and without one.</summary>
public static partial class Second
{
    [Tabular(Layout = TabularLayout.Row), SavedAs("Smc.Saving.Tests.First+Thing")]
    public readonly partial struct Item
    {
        [Key] public partial long Key { get; set; }

        public partial Int128? Number { get; set; }

        public partial double Weight { get; set; }

        [Precision(20, 2)] public partial decimal? Price { get; set; }

        [SavedAs("Note")] public partial string? Comment { get; set; }

        public partial Item Parent { get; set; }

        [Default("a text that is longer than seven bytes")] public partial string State { get; set; }

        [Default(7)] public partial int Rank { get; set; }

        public partial DateOnly? Until { get; set; }
    }
}

/// <summary>Each breaks one rule.</summary>
public static partial class Broken
{
    [Tabular, SavedAs("Smc.Saving.Tests.First+Thing")]
    public readonly partial struct Narrower
    {
        public partial short Key { get; set; }
    }

    [Tabular, SavedAs("Smc.Saving.Tests.First+Thing")]
    public readonly partial struct OtherScale
    {
        [Precision(9, 3)] public partial decimal Price { get; set; }
    }

    [Tabular, SavedAs("Smc.Saving.Tests.First+Thing")]
    public readonly partial struct NewWithoutDefault
    {
        public partial int Key { get; set; }

        public partial int Missing { get; set; }
    }

    [Tabular, SavedAs("Smc.Saving.Tests.First+Thing")]
    public readonly partial struct OtherTarget
    {
        public partial Item Parent { get; set; }
    }

    [Tabular, SavedAs("Smc.Saving.Tests.First+Thing")]
    public readonly partial struct OtherKind
    {
        public partial string Key { get; set; }
    }
}
