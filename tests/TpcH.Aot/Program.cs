// Prints how many of the 88 answers (22 queries, two layouts, by references and by keys) are right, how many ways of data out and in lose nothing, and each that is not so.
using System.Diagnostics.Metrics;
using Bench.Shared;
using TpcH;
using TpcH.Aot;
using TpcH.Dbgen;
using TpcH.Model;

long fallbacks = 0;
using MeterListener listener = new();
listener.InstrumentPublished = (instrument, to) =>
{
    if (instrument.Name == "smc.query.fallbacks")
        to.EnableMeasurementEvents(instrument);
};
listener.SetMeasurementEventCallback<long>((_, value, _, _) => fallbacks += value);
listener.Start();

using DbgenSource source = new(0.01);
ITabularDatabase[] layouts = [ColumnarModel.CreateDatabase(), RowModel.CreateDatabase()];
DatabaseLoader.Load(source, layouts, progress: null, CancellationToken.None);
int right = 0;
foreach (ITabularDatabase tables in layouts)
{
    foreach (JoinStyle joins in new[] { JoinStyle.References, JoinStyle.Keys })
    {
        foreach (QueryDefinition query in QueryCatalog.All)
        {
            PreparedQuery prepared = tables.Prepare(query.ReadParameters(ParameterFile.Standard.For(query.Name)), joins);
            prepared.Execute();
            if (AnswerChecker.FirstDifference(ReferenceAnswers.Find("0.01", query)!, prepared.ReadAnswer()) is { } difference)
                Console.WriteLine($"{query.Name}, {tables.GetType().Assembly.GetName().Name}, {joins}: {difference}");
            else
                right++;
        }
    }

    tables.Dispose();
}

Console.WriteLine($"{right} answers right, {fallbacks} queries without a kernel");
Console.WriteLine($"{DataInAndOut.CountRight()} of {DataInAndOut.Ways} ways out and back in lose nothing");
