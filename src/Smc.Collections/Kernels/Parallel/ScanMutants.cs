namespace Smc.Collections.Kernels;

/// <summary>A deliberate mistake for the stress program, which compiles these sources with <c>SMC_MUTANTS</c>; a constant everywhere else.</summary>
internal static class ScanMutants
{
#if SMC_MUTANTS
    public static bool MergesOutOfTurn { get; set; }
#else
    public static bool MergesOutOfTurn => false;
#endif
}
