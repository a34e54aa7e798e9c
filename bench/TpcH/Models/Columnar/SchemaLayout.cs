using Smc.Collections;

namespace TpcH.Model;

/// <summary>How this project lays the shared schema out.</summary>
internal static class SchemaLayout
{
    public const TabularLayout Value = TabularLayout.Columnar;
}
