namespace Smc.Collections;

/// <summary>
/// The value that a column gets where <c>Add</c> is called without it. Numbers, <c>bool</c>, <c>char</c>, <c>string</c> and enums;
/// a decimal is written as text: <c>[Default("0.05")]</c>.
/// </summary>
/// <param name="value">The value, of the property's type.</param>
[AttributeUsage(AttributeTargets.Property, Inherited = false)]
public sealed class DefaultAttribute(object value) : Attribute
{
    /// <summary>The value.</summary>
    public object Value { get; } = value;
}
