using Smc.QueryCompiler.Recording;

namespace Smc.QueryCompiler.Compilation;

/// <summary>The kernels by shape of query. Beyond the limit the one that was not used for the longest time is dropped; its code is unloaded when its last run ends.</summary>
internal sealed class KernelCache(int limit)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<QueryShape, LinkedListNode<(QueryShape Shape, Task<CompiledQuery> Query)>> _queries = [];
    private readonly LinkedList<(QueryShape Shape, Task<CompiledQuery> Query)> _byUse = [];

    public int Count
    {
        get
        {
            lock (_lock)
                return _queries.Count;
        }
    }

    /// <summary>The kernel of a shape, in the making or made; begins to make it when it is new.</summary>
    public Task<CompiledQuery> GetOrCompile(RecordedReading reading)
    {
        QueryShape shape = reading.Shape;
        lock (_lock)
        {
            if (_queries.TryGetValue(shape, out LinkedListNode<(QueryShape Shape, Task<CompiledQuery> Query)>? known))
            {
                _byUse.Remove(known);
                _byUse.AddFirst(known);
                return known.Value.Query;
            }

            Task<CompiledQuery> query = Task.Run(() => CompiledQuery.Compile(reading));
            _queries.Add(shape, _byUse.AddFirst((shape, query)));
            if (_queries.Count > limit)
            {
                _queries.Remove(_byUse.Last!.Value.Shape);
                _byUse.RemoveLast();
            }

            return query;
        }
    }
}
