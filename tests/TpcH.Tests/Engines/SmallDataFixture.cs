using TpcH.Tests.Dbgen;
using TpcH.Tests.Tbl;
using Xunit;

namespace TpcH.Tests.Engines;

/// <summary>A folder with the tables at scale factor 0.01.</summary>
public sealed class SmallDataFixture(TextPoolFixture textPool) : IAsyncLifetime
{
    private TblFolder? _folder;

    public string Directory => _folder!.Directory.FullName;

    public async ValueTask InitializeAsync()
    {
        using var source = textPool.Source(0.01);
        _folder = await TblFolder.WriteAsync(source);
    }

    public ValueTask DisposeAsync()
    {
        _folder?.Dispose();
        return ValueTask.CompletedTask;
    }
}
