using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Smc.Memory;

namespace Micro;

/// <summary>
/// What reading, writing and replacing a value costs in a heap of slices, in an array of <c>byte[]</c>, and in memory of <see cref="NativeMemory"/>. The others
/// protect nobody: a value that is freed or written while it is read is the program's problem there. All do the same operations, and must hold the
/// same values afterwards, before times are printed.
/// </summary>
internal static class SliceStudy
{
    public const string Verb = "slices";
    private const int TotalBytes = 32 << 20;
    private const int Operations = 1_000_000;
    private const int Rounds = 5;

    public static void Run()
    {
        Console.WriteLine("| bytes | operation | slices, ns | `byte[]`, ns | native, ns | slices to `byte[]` | slices to native |");
        Console.WriteLine("| ---: | --- | ---: | ---: | ---: | ---: | ---: |");
        foreach (int length in new[] { 32, 128, 1024 })
        {
            Compare(length, TotalBytes / length);
        }
    }

    private static void Compare(int length, int count)
    {
        using MemoryManager manager = new();
        using SliceHeap heap = new(manager);
        SliceValues slices = new(heap, length, count);
        ManagedValues managed = new(length, count);
        NativeValues native = new(length, count);
        double[,] least = new double[4, 3];
        for (int i = 0; i < least.Length; i++) least[i / 3, i % 3] = double.MaxValue;
        for (int round = 0; round < Rounds; round++)
        {
            Measure(least, 0, slices, round, count);
            Measure(least, 1, managed, round, count);
            Measure(least, 2, native, round, count);
            long expected = Sum(managed, count);
            if (Sum(slices, count) != expected || Sum(native, count) != expected) throw new InvalidOperationException($"values of {length} bytes differ after round {round}");
        }
        string[] names = ["read", "read in a scope", "write in place", "allocate, fill and delete"];
        for (int operation = 0; operation < names.Length; operation++)
        {
            (double ours, double arrays, double natives) = (least[operation, 0], least[operation, 1], least[operation, 2]);
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {length} | {names[operation]} | {ours:0.0} | {arrays:0.0} | {natives:0.0} | {ours / arrays:0.00} | {ours / natives:0.00} |"));
        }
        MemoryUsage usage = heap.Usage;
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"| {length} | bytes mapped to bytes of values | {usage.Mapped / ((double)length * count):0.00} | | | | |"));
        native.Free();
    }

    // Random places from a seed, the same for all.
    private static void Measure<TValues>(double[,] least, int column, TValues values, int round, int count)
        where TValues : struct, IValues
    {
        int[] places = new int[Operations];
        Random random = new(round);
        for (int i = 0; i < places.Length; i++) places[i] = random.Next(count);
        long sum = 0, scoped = 0;
        Time(least, 0, column, () =>
        {
            foreach (int place in places) sum += values.Read(place);
        });
        Time(least, 1, column, () =>
        {
            foreach (int place in places) scoped += values.ReadInside(place);
        });
        if (sum != scoped) throw new InvalidOperationException("reading twice gives different sums");
        Time(least, 2, column, () =>
        {
            foreach (int place in places) values.Write(place, place + round);
        });
        Time(least, 3, column, () =>
        {
            foreach (int place in places) values.Replace(place, place - round);
        });
    }

    private static void Time(double[,] least, int operation, int column, Action work)
    {
        long start = Stopwatch.GetTimestamp();
        work();
        least[operation, column] = Math.Min(least[operation, column], Stopwatch.GetElapsedTime(start).TotalNanoseconds / Operations);
    }

    private static long Sum<TValues>(TValues values, int count)
        where TValues : struct, IValues
    {
        long sum = 0;
        for (int place = 0; place < count; place++) sum = unchecked(sum * 31 + values.Read(place));
        return sum;
    }

    private static long Sum(ReadOnlySpan<byte> bytes)
    {
        long sum = 0;
        foreach (long word in MemoryMarshal.Cast<byte, long>(bytes)) sum += word;
        return sum;
    }

    private static void Add(Span<byte> bytes, long amount)
    {
        foreach (ref long word in MemoryMarshal.Cast<byte, long>(bytes)) word += amount;
    }

    private static void Fill(Span<byte> bytes, long word) => MemoryMarshal.Cast<byte, long>(bytes).Fill(word);

    private interface IValues
    {
        long Read(int place);

        long ReadInside(int place);

        void Write(int place, long amount);

        void Replace(int place, long word);
    }

    private readonly struct SliceValues : IValues
    {
        private readonly SliceHeap _heap;
        private readonly SafePtr[] _slices;
        private readonly int _length;

        public SliceValues(SliceHeap heap, int length, int count)
        {
            _heap = heap;
            _length = length;
            _slices = new SafePtr[count];
            for (int i = 0; i < count; i++) _slices[i] = heap.Allocate(length, (long)i, static (bytes, word) => Fill(bytes, word));
        }

        public long Read(int place) => _heap.TryRead(_slices[place], 0, static (bytes, _) => Sum(bytes), out long sum) ? sum : throw Lost();

        public long ReadInside(int place)
        {
            using SliceScope scope = _heap.OpenRead(_slices[place]);
            return scope.IsOpen ? Sum(scope.Bytes) : throw Lost();
        }

        public void Write(int place, long amount)
        {
            if (!_heap.TryWrite(_slices[place], amount, static (bytes, more) => Add(bytes, more))) throw Lost();
        }

        public void Replace(int place, long word)
        {
            SafePtr old = _slices[place];
            _slices[place] = _heap.Allocate(_length, word, static (bytes, value) => Fill(bytes, value));
            if (!_heap.TryDelete(old)) throw Lost();
        }

        private static InvalidOperationException Lost() => new("a slice is lost");
    }

    private readonly struct ManagedValues : IValues
    {
        private readonly byte[][] _values;
        private readonly int _length;

        public ManagedValues(int length, int count)
        {
            _length = length;
            _values = new byte[count][];
            for (int i = 0; i < count; i++) Replace(i, i);
        }

        public long Read(int place) => Sum(_values[place]);

        public long ReadInside(int place) => Sum(_values[place]);

        public void Write(int place, long amount) => Add(_values[place], amount);

        public void Replace(int place, long word)
        {
            byte[] value = new byte[_length];
            Fill(value, word);
            _values[place] = value;
        }
    }

    private readonly unsafe struct NativeValues : IValues
    {
        private readonly nint[] _values;
        private readonly int _length;

        public NativeValues(int length, int count)
        {
            _length = length;
            _values = new nint[count];
            for (int i = 0; i < count; i++) Replace(i, i);
        }

        public long Read(int place) => Sum(new ReadOnlySpan<byte>((void*)_values[place], _length));

        public long ReadInside(int place) => Read(place);

        public void Write(int place, long amount) => Add(new Span<byte>((void*)_values[place], _length), amount);

        public void Replace(int place, long word)
        {
            nint old = _values[place];
            _values[place] = (nint)NativeMemory.Alloc((nuint)_length);
            Fill(new Span<byte>((void*)_values[place], _length), word);
            NativeMemory.Free((void*)old);
        }

        public void Free()
        {
            foreach (nint value in _values) NativeMemory.Free((void*)value);
        }
    }
}
