using System.Numerics;

namespace Smc.Memory.Allocation;

/// <summary>A set of small numbers, a bit each, over words that the owner keeps. One thread at a time; the validity bitmap of a block is another thing (<see cref="Blocks.ValidSlots"/>).</summary>
internal readonly ref struct Bits(Span<ulong> words)
{
    private readonly Span<ulong> _words = words;

    /// <summary>The words, 64 numbers each.</summary>
    public ReadOnlySpan<ulong> Words => _words;

    /// <summary>How many numbers are in the set.</summary>
    public int Count
    {
        get
        {
            int count = 0;
            foreach (ulong word in _words) count += BitOperations.PopCount(word);
            return count;
        }
    }

    /// <summary>Whether a number is in the set.</summary>
    public bool this[int number] => (_words[number >> 6] >> (number & 63) & 1) != 0;

    /// <summary>Words for so many numbers, none of which is in the set.</summary>
    public static ulong[] For(long numbers) => new ulong[(numbers + 63) / 64];

    public void Set(int number) => _words[number >> 6] |= 1UL << (number & 63);

    public void Clear(int number) => _words[number >> 6] &= ~(1UL << (number & 63));

    public void Clear() => _words.Clear();

    public void CopyTo(Bits other) => _words.CopyTo(other._words);

    /// <summary>The numbers, ascending.</summary>
    public Enumerator GetEnumerator() => new(_words);

    public ref struct Enumerator(ReadOnlySpan<ulong> words)
    {
        private readonly ReadOnlySpan<ulong> _words = words;
        private int _next;
        private ulong _rest;

        public int Current { get; private set; }

        public bool MoveNext()
        {
            while (_rest == 0)
            {
                if (_next == _words.Length) return false;
                _rest = _words[_next++];
            }
            Current = (_next - 1) * 64 + BitOperations.TrailingZeroCount(_rest);
            _rest &= _rest - 1;
            return true;
        }
    }
}
