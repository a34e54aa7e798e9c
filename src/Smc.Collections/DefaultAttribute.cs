namespace Smc.Collections;

/// <summary>
/// Sets the value that <c>Add</c> uses if the argument is left out. For numbers, <c>bool</c>, <c>char</c>, <c>string</c> and enums.
/// Write a decimal as text: <c>[Default("0.05")]</c>.
/// </summary>
/// <param name="value">The value, of the property's type.</param>
[AttributeUsage(AttributeTargets.Property, Inherited = false)]
public sealed class DefaultAttribute(object value) : Attribute
{
    /// <summary>The value.</summary>
    public object Value { get; } = value;
}
