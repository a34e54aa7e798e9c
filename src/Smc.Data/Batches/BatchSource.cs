using System.ComponentModel;
using Smc.Collections.Kernels;

namespace Smc.Data.Batches;

/// <summary>Rows that come batch by batch, each batch in typed buffers that the next one overwrites. For packages that read or write a format; not for several threads at once.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class BatchSource : IDisposable, IAsyncDisposable
{
    /// <summary>The buffers, the same for all batches.</summary>
    public abstract RowBuffer Rows { get; }

    /// <summary>Reads the next batch.</summary>
    /// <returns>The number of its rows, 0 at the end.</returns>
    public abstract int Read();

    /// <summary>As <see cref="Read"/>, for sources that wait.</summary>
    public virtual ValueTask<int> ReadAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return ValueTask.FromResult(Read());
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    /// <inheritdoc/>
    public virtual ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }

    /// <summary>Releases what the rows come from.</summary>
    protected virtual void Dispose(bool disposing)
    {
    }
}
