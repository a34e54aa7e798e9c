namespace TpcH.Dbgen;

/// <summary>What all table generators draw from.</summary>
public sealed record GeneratorInputs(ScaleFactor Scale, Distributions Lists, TextPool Text);
