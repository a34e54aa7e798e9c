namespace Smc.Collections;

/// <summary>A row whose property refers to a row that has been removed.</summary>
/// <param name="Row">The row that holds the reference.</param>
/// <param name="Property">The name of the property.</param>
/// <typeparam name="T">The tabular type of <paramref name="Row"/>.</typeparam>
public readonly record struct DanglingReference<T>(T Row, string Property)
    where T : unmanaged;
