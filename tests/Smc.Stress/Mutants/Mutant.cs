namespace Smc.Stress.Mutants;

/// <summary>A deliberate mistake and what must catch it.</summary>
/// <param name="Name">As the command line takes it.</param>
/// <param name="Description">What is done wrong.</param>
/// <param name="Switch">Turns the mistake on or off.</param>
/// <param name="Attempt">One attempt to see its effect, from a seed; throws <see cref="ViolationException"/> when it does.</param>
internal sealed record Mutant(string Name, string Description, Action<bool> Switch, Action<int> Attempt);
