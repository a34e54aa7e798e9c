namespace Smc.Collections;

/// <summary>As <see cref="Optional{T}"/> for references to rows: <c>Set(customer: null)</c> gives the null handle.</summary>
/// <typeparam name="T">The tabular type.</typeparam>
public readonly struct OptionalRow<T>
    where T : unmanaged
{
    private readonly T _value;

    /// <summary>Creates an argument that was given.</summary>
    public OptionalRow(T value)
    {
        _value = value;
        HasValue = true;
    }

    /// <summary>Whether the argument was given.</summary>
    public bool HasValue { get; }

    /// <summary>The row, the null handle when it was left out.</summary>
    public T Value => _value;

    /// <summary>Creates an argument that was given.</summary>
    public static implicit operator OptionalRow<T>(T value) => new(value);

    /// <summary>Creates the null handle, given.</summary>
    public static implicit operator OptionalRow<T>(NoRow? none) => new(default(T));
}
