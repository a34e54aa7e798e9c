using Smc.Collections;
using Smc.Memory;
using Xunit;

namespace Smc.Data.Tests;

/// <summary>Fifty rows as bytes with checksums, in one form or another, and what is read of them when the bytes are damaged.</summary>
internal sealed class DamagedRows : IDisposable
{
    private readonly MemoryManager _manager;
    private readonly Func<Stream, BatchDataReader> _open;
    private readonly Collection<Narrow> _source;
    private readonly byte[] _whole;

    public DamagedRows(MemoryManager manager, Action<Collection<Narrow>, Stream> write, Func<Stream, BatchDataReader> open)
    {
        _manager = manager;
        _open = open;
        _source = New();
        for (int i = 0; i < 50; i++)
            _source.Add(key: i, weight: i % 3 == 0 ? null : i, text: i % 5 == 0 ? null : $"text {i}");
        using MemoryStream stream = new();
        write(_source, stream);
        _whole = stream.ToArray();
    }

    public void Dispose() => _source.Dispose();

    public void AssertAThousandAreRefusedOrRight()
    {
        int refused = 0;
        for (int seed = 0; seed < 1000; seed++)
        {
            using Collection<Narrow> target = New();
            try
            {
                AddTo(target, Damage.Apply(_whole, seed));
                Assert.Equal(Values(_source), Values(target));
            }
            catch (DataLoadException e)
            {
                refused++;
                Assert.Empty(target);
                Assert.False(string.IsNullOrEmpty(e.Message));
            }
        }

        Assert.InRange(refused, 900, 1000);
    }

    public void AssertEveryByteIsUnderAChecksum()
    {
        for (int i = 0; i < _whole.Length; i++)
        {
            byte[] damaged = [.. _whole];
            // Not the bit that makes a small letter of a digit's great one, which is the same number.
            damaged[i] ^= 1;
            using Collection<Narrow> target = New();
            Assert.Throws<DataLoadException>(() => AddTo(target, damaged));
        }
    }

    private void AddTo(Collection<Narrow> target, byte[] bytes)
    {
        using BatchDataReader reader = _open(new MemoryStream(bytes));
        target.AddRange(reader);
    }

    private Collection<Narrow> New() => new(new CollectionOptions { Manager = _manager });

    private static IEnumerable<(long, double?, string?)> Values(Collection<Narrow> rows) => Enumerable.Select(rows, r => (r.Key, r.Weight, r.Text)).Order();
}
