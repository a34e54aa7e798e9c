namespace TpcH.Dbgen;

internal static class EmbeddedFile
{
    public static Stream Open(string name) =>
        typeof(EmbeddedFile).Assembly.GetManifestResourceStream(name)
        ?? throw new InvalidOperationException($"The assembly was built without its embedded file '{name}'.");
}
