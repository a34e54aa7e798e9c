namespace Smc.Memory.Reclamation;

/// <summary>
/// The method of managers that are not told one: the AppContext value <c>Smc.Reclamation</c>, read once, for example
/// <c>&lt;RuntimeHostConfigurationOption Include="Smc.Reclamation" Value="Amortised" /&gt;</c> in a project.
/// </summary>
internal static class ReclamationDefault
{
    public const string Setting = "Smc.Reclamation";

    public static ReclamationMethod Method { get; } =
        AppContext.GetData(Setting) switch
        {
            null => ReclamationMethod.Batch,
            string name when Enum.TryParse(name, ignoreCase: true, out ReclamationMethod method) && Enum.IsDefined(method) => method,
            object other => throw new InvalidOperationException($"{Setting} is '{other}'. It is {string.Join(", ", Enum.GetNames<ReclamationMethod>())}."),
        };
}
