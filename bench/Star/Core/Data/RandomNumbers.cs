namespace Star;

/// <summary>SplitMix64: the same numbers from the same seed on every machine and with every version of .NET.</summary>
internal sealed class RandomNumbers(ulong seed)
{
    private ulong _state = seed;

    /// <summary>A number from 0 on, all below <paramref name="bound"/> equally likely.</summary>
    public int Below(int bound) => (int)Math.BigMul(Next(), (ulong)bound, out _);

    public T Pick<T>(IReadOnlyList<T> choices) => choices[Below(choices.Count)];

    private ulong Next()
    {
        _state += 0x9E3779B97F4A7C15;
        ulong mixed = (_state ^ (_state >> 30)) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
        return mixed ^ (mixed >> 31);
    }
}
