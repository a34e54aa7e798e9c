namespace Smc.Collections.Indexes;

/// <summary>How the end of a range was rounded, because a column cannot hold it.</summary>
/// <param name="Parts">The parts of the key up to the one that was rounded; 0 if none was.</param>
/// <param name="IsBelow">Whether the end lies before the keys with these parts; otherwise it lies after them.</param>
internal readonly record struct KeyRounding(int Parts, bool IsBelow);
