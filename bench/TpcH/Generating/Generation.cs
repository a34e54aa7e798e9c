using System.Globalization;
using TpcH.Cli;
using TpcH.Dbgen;
using TpcH.Reporting;
using TpcH.Tbl;

namespace TpcH.Generating;

/// <summary>Writes the tables as files, checks them against dbgen's checksums, or both. Without a folder they are only checked.</summary>
internal sealed class Generation(double scaleFactor, DirectoryInfo? folder, TextWriter output, IProgressDisplay display)
{
    public bool Verifies { get; init; }

    /// <summary>How many refresh sets are written beside the tables. There are no checksums to check them with.</summary>
    public int RefreshSets { get; init; }

    /// <summary>Returns the exit code.</summary>
    public int Execute(CancellationToken cancellationToken)
    {
        using var source = new DbgenSource(scaleFactor);
        if (Verifies && Checksums.Reference(source.Scale, Table.LineItem) is null)
            throw new UsageException($"there are no checksums for scale factor {source.Scale}; there are some for 0.01, 0.1, 1");
        if (folder is not null)
            Write(source, folder, cancellationToken);
        return Verifies ? Report(Verify(source, cancellationToken)) : ExitCode.Success;
    }

    private void Write(DbgenSource source, DirectoryInfo target, CancellationToken cancellationToken)
    {
        display.Stage($"writing scale factor {source.Scale} to {target.FullName}", stage =>
        {
            TblWriter.WriteAsync(source, target, new RowProgress(source, stage), cancellationToken).GetAwaiter().GetResult();
            return true;
        });
        if (RefreshSets > 0)
            WriteRefreshSets(source, target, cancellationToken);
    }

    private void WriteRefreshSets(DbgenSource source, DirectoryInfo target, CancellationToken cancellationToken)
    {
        display.Stage($"writing {RefreshSets} refresh sets", stage =>
        {
            for (int number = 1; number <= RefreshSets; number++)
            {
                RefreshWriter.WriteFiles(source.Refresh(number), target, cancellationToken);
                stage.Report(number / (double)RefreshSets);
            }
            return true;
        });
    }

    private IReadOnlyList<TableVerification> Verify(DbgenSource source, CancellationToken cancellationToken) =>
        folder is not null
            ? display.Stage("checking the files", _ => Checksums.VerifyAsync(folder, scaleFactor, cancellationToken).GetAwaiter().GetResult())
            : display.Stage($"generating and checking scale factor {source.Scale}", stage => VerifyTables(source, stage, cancellationToken));

    private static IReadOnlyList<TableVerification> VerifyTables(DbgenSource source, IProgressStage stage, CancellationToken cancellationToken)
    {
        var progress = new RowProgress(source, stage);
        return [.. TableSchema.Tables.Select(table => Verify(source, table, progress, cancellationToken))];
    }

    private static TableVerification Verify(DbgenSource source, Table table, RowProgress progress, CancellationToken cancellationToken)
    {
        using var checksum = new ChecksumStream();
        TblWriter.Write(source, table, checksum, progress, cancellationToken);
        return new TableVerification(table, Checksums.Reference(source.Scale, table), checksum.Checksum);
    }

    private int Report(IReadOnlyList<TableVerification> tables)
    {
        foreach (TableVerification table in tables)
        {
            output.WriteLine(table.IsOk
                ? string.Create(CultureInfo.InvariantCulture, $"{table.Table.FileName}: ok, {table.Actual!.Value.Rows} rows, MD5 {table.Actual.Value.Md5}")
                : $"{table.Table.FileName}: {table.Verdict}");
        }
        return tables.All(table => table.IsOk) ? ExitCode.Success : ExitCode.Wrong;
    }
}
