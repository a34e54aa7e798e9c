namespace Smc.Collections.Kernels;

/// <summary>Deliberate mistakes for the stress program, which compiles these sources with <c>SMC_MUTANTS</c>; constants everywhere else.</summary>
internal static class KernelMutants
{
#if SMC_MUTANTS
    public static bool MergesOutOfTurn { get; set; }

    public static bool PartsShareIndexes { get; set; }

    public static bool SummariesAreTrusted { get; set; }

    public static bool TextsAreLoadedAgain { get; set; }

    public static bool KeysAreTrusted { get; set; }

    public static bool IndexIsSoughtEarly { get; set; }

    public static bool NumbersAreTrusted { get; set; }

    public static bool DoubtfulRowsAreTrusted { get; set; }

    public static bool IndexForgetsFirst { get; set; }

    public static bool IndexKeepsOldWord { get; set; }

    public static bool MapDeletedIsAbsent { get; set; }

    public static bool GroupsAreSplit { get; set; }

    public static bool SortedTrustsWord { get; set; }

    public static bool SortedShowsEarly { get; set; }

    public static bool SortedAddsLast { get; set; }

    public static bool SortedCountsNoMoves { get; set; }

    public static bool FirstRowsAreTrusted { get; set; }

    /// <summary>No mistake: ordered indexes have chunks of eight keys, so that a play shows what happens when they are written anew.</summary>
    public static bool IndexHasSmallChunks { get; set; }

    /// <summary>No mistake: all integers have one hash, so that a play shows what keys with one hash do.</summary>
    public static bool HashesCollide { get; set; }

    /// <summary>No mistake: small integers have different hashes that belong in one bucket.</summary>
    public static bool HashesShareBucket { get; set; }
#else
    public static bool MergesOutOfTurn => false;

    public static bool PartsShareIndexes => false;

    public static bool SummariesAreTrusted => false;

    public static bool TextsAreLoadedAgain => false;

    public static bool KeysAreTrusted => false;

    public static bool IndexIsSoughtEarly => false;

    public static bool NumbersAreTrusted => false;

    public static bool DoubtfulRowsAreTrusted => false;

    public static bool IndexForgetsFirst => false;

    public static bool IndexKeepsOldWord => false;

    public static bool MapDeletedIsAbsent => false;

    public static bool GroupsAreSplit => false;

    public static bool SortedTrustsWord => false;

    public static bool SortedShowsEarly => false;

    public static bool SortedAddsLast => false;

    public static bool SortedCountsNoMoves => false;

    public static bool FirstRowsAreTrusted => false;

    public static bool IndexHasSmallChunks => false;

    public static bool HashesCollide => false;

    public static bool HashesShareBucket => false;
#endif
}
