namespace Smc.Collections;

/// <summary>Writes values as bytes and reads them back. Used by any number of threads at once.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
public interface IValueCodec<T>
{
    /// <summary>Returns an upper bound of the bytes that <see cref="Encode"/> writes for a value.</summary>
    int GetMaxLength(T value);

    /// <summary>Writes a value.</summary>
    /// <param name="value">The value.</param>
    /// <param name="destination">At least <see cref="GetMaxLength"/> bytes.</param>
    /// <returns>The number of bytes written.</returns>
    int Encode(T value, Span<byte> destination);

    /// <summary>Reads a value from all of the bytes that <see cref="Encode"/> wrote. They do not change meanwhile.</summary>
    T Decode(ReadOnlySpan<byte> source);
}
