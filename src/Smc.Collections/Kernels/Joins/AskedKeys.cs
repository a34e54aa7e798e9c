using System.Runtime.CompilerServices;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The keys that a join has looked up in an index, each once, and what was found: a hash table in a region.</summary>
/// <safety>Used with one region, of one critical section, which keeps texts in keys live.</safety>
internal unsafe struct AskedKeys
{
    private const int FirstPlaces = 64;

    private ulong _records;
    private int _recordBytes;
    private int _count;

    /// <summary>How many places there are; those in use have <see cref="AskedKey.IsTaken"/>.</summary>
    public int Places { get; private set; }

    /// <summary>What is known of the key at a place.</summary>
    // SAFETY: places are below their number.
    public readonly ref AskedKey this[int place] => ref *(AskedKey*)(_records + ((ulong)place * (ulong)_recordBytes));

    /// <summary>The place of a key: where it is, or where it goes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int PlaceOf(ref Region region, KeyPart[] parts, ref readonly KeyImage key)
    {
        if (_count >= Places / 2)
            Grow(ref region, parts);
        int place = FirstOf(key.Hash);
        while (this[place].IsTaken && !(this[place].Hash == key.Hash && IsAt(place, parts, in key)))
            place = (place + 1) & (Places - 1);
        return place;
    }

    /// <summary>Keeps a key at its place, with copies of its texts.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Take(ref Region region, int place, KeyPart[] parts, ref readonly KeyImage key, AskedKey found)
    {
        this[place] = found with { Hash = key.Hash, IsTaken = true };
        KeyWord* words = WordsOf(place);
        for (int i = 0; i < parts.Length; i++)
            words[i] = parts[i].Kind == KeyKind.Text ? new KeyWord(KeyWords.Keep(key[i].Low, ref region), 0) : key[i];
        _count++;
    }

    /// <summary>The key at a place.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly void Read(int place, KeyPart[] parts, ref KeyImage key)
    {
        KeyWord* words = WordsOf(place);
        for (int i = 0; i < parts.Length; i++)
            key.Set(i, words[i]);
        key.Complete();
    }

    private readonly KeyWord* WordsOf(int place) => (KeyWord*)((AskedKey*)Unsafe.AsPointer(ref this[place]) + 1);

    private readonly int FirstOf(ulong hash) => (int)(KeyWords.Spread(hash) >> 33) & (Places - 1);

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private readonly bool IsAt(int place, KeyPart[] parts, ref readonly KeyImage key)
    {
        KeyWord* words = WordsOf(place);
        for (int i = 0; i < parts.Length; i++)
        {
            if (!parts[i].AreEqual(words[i], key[i]))
                return false;
        }

        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(ref Region region, KeyPart[] parts)
    {
        AskedKeys before = this;
        _recordBytes = sizeof(AskedKey) + (parts.Length * sizeof(KeyWord));
        Places = Math.Max(FirstPlaces, 2 * before.Places);
        _records = region.AllocateZeroed((long)Places * _recordBytes);
        for (int i = 0; i < before.Places; i++)
        {
            if (!before[i].IsTaken)
                continue;
            int place = FirstOf(before[i].Hash);
            while (this[place].IsTaken)
                place = (place + 1) & (Places - 1);
            Unsafe.CopyBlock(ref Unsafe.As<AskedKey, byte>(ref this[place]), ref Unsafe.As<AskedKey, byte>(ref before[i]), (uint)_recordBytes);
        }
    }
}
