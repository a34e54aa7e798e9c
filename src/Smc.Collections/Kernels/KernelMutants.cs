namespace Smc.Collections.Kernels;

/// <summary>Deliberate mistakes for the stress program, which compiles these sources with <c>SMC_MUTANTS</c>; constants everywhere else.</summary>
internal static class KernelMutants
{
#if SMC_MUTANTS
    public static bool MergesOutOfTurn { get; set; }

    public static bool SummariesAreTrusted { get; set; }

    public static bool TextsAreLoadedAgain { get; set; }

    public static bool KeysAreTrusted { get; set; }

    public static bool NumbersAreTrusted { get; set; }

    public static bool DoubtfulRowsAreTrusted { get; set; }

    public static bool IndexForgetsFirst { get; set; }

    public static bool IndexKeepsOldWord { get; set; }

    /// <summary>No mistake: all integers have one hash, so that a play shows what keys with one hash do.</summary>
    public static bool HashesCollide { get; set; }

    /// <summary>No mistake: small integers have different hashes that belong in one bucket.</summary>
    public static bool HashesShareBucket { get; set; }
#else
    public static bool MergesOutOfTurn => false;

    public static bool SummariesAreTrusted => false;

    public static bool TextsAreLoadedAgain => false;

    public static bool KeysAreTrusted => false;

    public static bool NumbersAreTrusted => false;

    public static bool DoubtfulRowsAreTrusted => false;

    public static bool IndexForgetsFirst => false;

    public static bool IndexKeepsOldWord => false;

    public static bool HashesCollide => false;

    public static bool HashesShareBucket => false;
#endif
}
