namespace Smc.Collections;

/// <summary>An argument that was given or left out: what the generated <c>Set(total: 5)</c> is called with. Values convert implicitly.</summary>
/// <typeparam name="T">The type of the property.</typeparam>
public readonly struct Optional<T>
{
    private readonly T _value;

    /// <summary>Creates an argument that was given.</summary>
    public Optional(T value)
    {
        _value = value;
        HasValue = true;
    }

    /// <summary>Whether the argument was given. A null may be given.</summary>
    public bool HasValue { get; }

    /// <summary>The value, <c>default</c> when it was left out.</summary>
    public T Value => _value;

    /// <summary>Creates an argument that was given.</summary>
    public static implicit operator Optional<T>(T value) => new(value);
}
