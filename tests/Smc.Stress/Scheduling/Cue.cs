using Smc.Memory.Diagnostics;

namespace Smc.Stress.Scheduling;

/// <summary>One line of a script: an actor goes on until it is at a step, or to its end.</summary>
/// <param name="Actor">Index of the actor, in the order in which they were added.</param>
/// <param name="Until">The step, or null for the end.</param>
internal readonly record struct Cue(int Actor, ProtocolStep? Until = null);
