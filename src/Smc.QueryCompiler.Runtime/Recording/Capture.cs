namespace Smc.QueryCompiler.Recording;

/// <summary>A value that a recorded query takes from outside: it becomes a parameter of the plan.</summary>
/// <param name="Name">Its name in the plan.</param>
/// <param name="Type">Its declared type.</param>
/// <param name="RowType">The type of its rows when the value is a collection, else null.</param>
internal sealed record Capture(string Name, Type Type, Type? RowType);
