using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>A text that equals others as a comparer has it, so that kernels can group and join by such texts as by any values.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ComparedText : IEquatable<ComparedText>
{
    private ComparedText(string text, StringComparer comparer)
    {
        Text = text;
        Comparer = comparer;
    }

    internal string Text { get; }

    internal StringComparer Comparer { get; }

    /// <summary>A text with the comparer that it is compared by; null for null, which equals null alone.</summary>
    public static ComparedText? Of(string? text, StringComparer comparer) => text is null ? null : new ComparedText(text, comparer);

    /// <summary>Whether two texts are equal.</summary>
    public static bool operator ==(ComparedText left, ComparedText right) => left.Equals(right);

    /// <summary>Whether two texts differ.</summary>
    public static bool operator !=(ComparedText left, ComparedText right) => !left.Equals(right);

    /// <inheritdoc/>
    public bool Equals(ComparedText other) => Comparer.Equals(Text, other.Text);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is ComparedText other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Comparer.GetHashCode(Text);
}
