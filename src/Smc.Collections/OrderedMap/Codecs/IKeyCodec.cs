namespace Smc.Collections;

/// <summary>
/// Writes keys as bytes whose order is the order of the keys: <c>x &lt; y</c> exactly if the bytes of x come before those of y in lexicographic order, and equal keys have
/// equal bytes. The bytes of a key never change.
/// </summary>
/// <typeparam name="TKey">The type of the keys.</typeparam>
/// <remarks>A key type of your own needs no codec written by hand: <see cref="KeyCodec.By{TKey, TPart}"/> converts it to a type, or a tuple, that has one.</remarks>
public interface IKeyCodec<TKey> : IValueCodec<TKey>
{
    /// <summary>The number of bytes of every key, or null if it varies. Keys of one length of up to 16 bytes take no memory of their own.</summary>
    int? FixedLength { get; }
}
