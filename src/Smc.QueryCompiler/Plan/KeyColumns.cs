namespace Smc.QueryCompiler.Plan;

/// <summary>Which columns an index can have in its key: those whose equal values are stored alike, or are brought into one form.</summary>
internal static class KeyColumns
{
    public const int Most = 7;

    public static bool Allow(PlanType type, StorageKind storage) => storage is not (StorageKind.Binary or StorageKind.Reference or StorageKind.DirectReference)
        && type.Kind is not (TypeKind.Single or TypeKind.Double or TypeKind.Half or TypeKind.Struct or TypeKind.DateTimeOffset);
}
