using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>A key of any number of columns, taken out of a row or given by a caller. Texts in it are words that must stay live.</summary>
internal ref struct KeyImage(KeyPart[] parts) : IIndexKey
{
    /// <summary>As many as a value tuple has without another one inside.</summary>
    public const int MaxParts = 7;

    private Words _words;

    public readonly KeyWord this[int part] => _words[part];

    public ulong Hash { get; private set; }

    public bool IsNarrow { get; private set; }

    /// <summary>Reads the key of a row.</summary>
    /// <returns>False if a part is null.</returns>
    /// <safety>The caller's critical section keeps the row's block.</safety>
    public static bool TryRead(KeyPart[] parts, RowLocation location, out KeyImage image)
    {
        bool isThere = TryReadWords(parts, location, out image);
        if (isThere)
            image.Complete();
        return isThere;
    }

    /// <summary>As <see cref="TryRead"/>, without the hash.</summary>
    /// <inheritdoc cref="TryRead" path="/returns|/safety"/>
    public static bool TryReadWords(KeyPart[] parts, RowLocation location, out KeyImage image)
    {
        image = new KeyImage(parts);
        for (int i = 0; i < parts.Length; i++)
        {
            if (!parts[i].TryRead(location, out KeyWord word))
                return false;
            image.Set(i, word);
        }

        return true;
    }

    public void Set(int part, KeyWord word) => _words[part] = word;

    /// <summary>Computes the hash when all parts are set.</summary>
    public void Complete()
    {
        if (parts.Length == 1 && parts[0].IsInteger)
        {
            IntegerKey key = new(parts[0], _words[0].Low);
            Hash = key.Hash;
            IsNarrow = key.IsNarrow;
            return;
        }

        ulong hash = 0;
        for (int i = 0; i < parts.Length; i++)
            hash = parts[i].Kind == KeyKind.Text ? KeyHash.AddText(hash, _words[i].Low) : KeyHash.Add(hash, _words[i].Low, _words[i].High);
        Hash = KeyHash.Finish(hash);
    }

    public readonly bool IsAt(RowLocation location)
    {
        for (int i = 0; i < parts.Length; i++)
        {
            if (!parts[i].TryRead(location, out KeyWord word) || !parts[i].AreEqual(word, _words[i]))
                return false;
        }

        return true;
    }

    public readonly bool Equals(ref readonly KeyImage other)
    {
        for (int i = 0; i < parts.Length; i++)
        {
            if (!parts[i].AreEqual(_words[i], other._words[i]))
                return false;
        }

        return true;
    }

    /// <summary>The values as objects, for a message.</summary>
    public readonly object?[] Box()
    {
        object?[] values = new object?[parts.Length];
        for (int i = 0; i < parts.Length; i++)
            values[i] = parts[i].Box(_words[i]);
        return values;
    }

    [InlineArray(MaxParts)]
    private struct Words
    {
        private KeyWord _first;
    }
}
