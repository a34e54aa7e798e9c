using Smc.Memory;

namespace Smc.Collections;

/// <summary>The bytes of a value of an <see cref="OrderedMap{TKey, TValue}"/> where they are. Until the scope is disposed they do not change and are not freed.</summary>
/// <remarks>
/// It must be disposed once and not be copied. As a ref struct it, and the span, cannot be kept across <c>await</c> or stored in an object. A thread that stays inside keeps this one
/// value and nothing else.
/// <code>
/// using ValueScope value = map.Read(key);
/// if (value.IsPresent) Send(value.Bytes);
/// </code>
/// </remarks>
public ref struct ValueScope : IDisposable
{
    private SliceScope _scope;

    internal ValueScope(SliceScope scope) => _scope = scope;

    /// <summary>False if the key was not in the map.</summary>
    public readonly bool IsPresent => _scope.IsOpen;

    /// <summary>The bytes as the codec wrote them; empty if the key was not in the map. Not to be used after <see cref="Dispose"/>.</summary>
    public readonly ReadOnlySpan<byte> Bytes => _scope.Bytes;

    /// <summary>Lets writers in again.</summary>
    public void Dispose() => _scope.Dispose();
}
