namespace Smc.Collections;

/// <summary>An argument that may be left out, as in the generated <c>Set(total: 5)</c>. Values convert to it implicitly.</summary>
/// <typeparam name="T">The type of the property.</typeparam>
public readonly struct Optional<T>
{
    private readonly T _value;

    /// <summary>Creates an argument with a value.</summary>
    public Optional(T value)
    {
        _value = value;
        HasValue = true;
    }

    /// <summary>True if the argument was given, even if it is null.</summary>
    public bool HasValue { get; }

    /// <summary>The value, <c>default</c> when it was left out.</summary>
    public T Value => _value;

    /// <summary>Creates an argument with a value.</summary>
    public static implicit operator Optional<T>(T value) => new(value);
}
