using FsCheck;
using FsCheck.Fluent;

namespace Smc.Memory.Tests;

/// <summary>Random operations against a dictionary, with the counting identities after every step.</summary>
public sealed class ModelTests
{
    private enum Operation { Add, AddRun, Remove, RemoveStale, Rewrite, Abandon, Advance, Clear, Trim, Compact, RewriteKey }

    public static TheoryData<BlockLayoutKind> Layouts => [BlockLayoutKind.Columnar, BlockLayoutKind.Row];

    [Theory, MemberData(nameof(Layouts))]
    public void A_collection_does_what_a_dictionary_does(BlockLayoutKind layout)
    {
        Gen<Operation> operation = Gen.Frequency(
            (12, Gen.Constant(Operation.Add)), (2, Gen.Constant(Operation.AddRun)), (8, Gen.Constant(Operation.Remove)),
            (2, Gen.Constant(Operation.RemoveStale)), (4, Gen.Constant(Operation.Rewrite)), (2, Gen.Constant(Operation.Abandon)),
            (4, Gen.Constant(Operation.Advance)), (1, Gen.Constant(Operation.Clear)), (1, Gen.Constant(Operation.Trim)),
            (2, Gen.Constant(Operation.Compact)), (2, Gen.Constant(Operation.RewriteKey)));
        Arbitrary<(Operation, int)[]> steps = Gen.Zip(operation, Gen.Choose(0, int.MaxValue)).ArrayOf().Resize(150).ToArbitrary();
        Prop.ForAll(steps, operations => Run(layout, operations)).Check(Config.QuickThrowOnFailure.WithMaxTest(60).WithReplay(1, 1));
    }

    private static void Run(BlockLayoutKind layout, (Operation Kind, int Choice)[] operations)
    {
        using TestTable table = new(layout == BlockLayoutKind.Row ? TestTable.Rows : TestTable.Columnar, incarnationBits: 3);
        Dictionary<ulong, (long Key, string? Text)> model = [];
        List<ulong> stale = [];
        long next = 0;
        foreach ((Operation kind, int choice) in operations)
        {
            switch (kind)
            {
                case Operation.Add:
                    string? text = choice % 5 == 0 ? null : new string((char)('a' + choice % 26), choice % 40);
                    model.Add(table.Add(++next, text), (next, text));
                    break;
                case Operation.AddRun:
                    AddRun(table, model, ref next, 1 + choice % 6);
                    break;
                case Operation.Remove when model.Count > 0:
                    ulong victim = model.Keys.ElementAt(choice % model.Count);
                    Assert.True(table.Context.Removal.TryRemove(victim));
                    model.Remove(victim);
                    stale.Add(victim);
                    break;
                case Operation.RemoveStale when stale.Count > 0:
                    Assert.False(table.Context.Removal.TryRemove(stale[choice % stale.Count]));
                    break;
                case Operation.Rewrite when model.Count > 0:
                    ulong row = model.Keys.ElementAt(choice % model.Count);
                    table.SetText(row, $"rewritten to {choice}");
                    model[row] = (model[row].Key, $"rewritten to {choice}");
                    break;
                case Operation.RewriteKey when model.Count > 0:
                    ulong changed = model.Keys.ElementAt(choice % model.Count);
                    table.SetKey(changed, ++next);
                    model[changed] = (next, model[changed].Text);
                    break;
                case Operation.Compact:
                    Assert.True(table.Context.Compaction.Run(new CompactionOptions { Occupancy = 0.75 }).IsComplete);
                    break;
                case Operation.Abandon:
                    using (CriticalSection.Enter()) table.Context.Publisher.Abandon(table.Context.Allocator.Allocate());
                    break;
                case Operation.Advance:
                    Epoch.TryAdvance();
                    break;
                case Operation.Clear:
                    table.Context.Clearing.Clear();
                    stale.AddRange(model.Keys);
                    model.Clear();
                    break;
                case Operation.Trim:
                    table.Context.Clearing.TrimExcess();
                    break;
            }
            Compare(table, model, stale);
        }
    }

    private static void AddRun(TestTable table, Dictionary<ulong, (long Key, string? Text)> model, ref long next, int wanted)
    {
        using CriticalSection section = CriticalSection.Enter();
        RowRun run = table.Context.Allocator.AllocateRun(wanted);
        Assert.InRange(run.Count, 1, wanted);
        long first = next + 1;
        for (int i = 0; i < run.Count; i++) table.Write(run[i], ++next);
        table.Context.Publisher.Publish(run);
        for (int i = 0; i < run.Count; i++) model.Add(run.Block.HandleAt(run[i].Slot), (first + i, null));
    }

    private static void Compare(TestTable table, Dictionary<ulong, (long Key, string? Text)> model, List<ulong> stale)
    {
        table.Check();
        Assert.Equal(model.Count, table.Context.Count);
        foreach ((ulong handle, (long key, string? text)) in model)
        {
            Assert.True(table.TryRead(handle, out long foundKey, out string? foundText));
            Assert.Equal((key, text), (foundKey, foundText));
        }
        foreach (ulong handle in stale) Assert.False(Handle.IsAlive(handle));
        Assert.Equal(model.Values.Select(static row => row.Key).Order(), table.Scan().Order());
    }
}
