using System.Text;
using Smc.Collections;
using Smc.Memory;
using Sylvan.Data.Csv;
using Xunit;

namespace Smc.Data.Tests;

public sealed class DamagedCsvTests : IDisposable
{
    private readonly MemoryManager _manager = new();

    public void Dispose() => _manager.Dispose();

    [Fact]
    public void Damaged_files_are_refused_with_a_place_or_read_as_other_values()
    {
        byte[] whole = Encoding.UTF8.GetBytes("key,total,pieces,kind,day,note,clerk\n" + string.Concat(Enumerable.Range(1, 20).Select(i => $"{i},{i}.50,{i},Web,2024-02-{i + 1:00},\"note, {i}\",c{i}\n")));
        int refused = 0;
        for (int seed = 0; seed < 1000; seed++)
        {
            byte[] damaged = Damage.Apply(whole, seed);
            using Collection<Sale> target = new(new CollectionOptions { Manager = _manager });
            try
            {
                using CsvDataReader csv = CsvDataReader.Create(new StreamReader(new MemoryStream(damaged), Encoding.UTF8));
                long rows = target.AddRange(csv, new LoadOptions<Sale> { FieldsInRow = () => csv.RowFieldCount }.Omit(s => s.Shop).Omit(s => s.Second));
                Assert.InRange(rows, 0, 20);
            }
            catch (DataLoadException e)
            {
                refused++;
                Assert.Empty(target);
                Assert.True(e.Row > 0 || e.Column is not null || e.Message.Length > 0);
            }
            catch (Exception e) when (e is CsvFormatException or CsvMissingHeadersException)
            {
                // The header itself: Sylvan's, before there is a reader.
                refused++;
            }
        }

        Assert.InRange(refused, 300, 1000);
    }
}
