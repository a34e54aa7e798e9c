using System.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Reclamation;

namespace Smc.Memory.Tests;

/// <summary>What all policies promise, and what each does when.</summary>
public sealed class ReclamationPolicyTests
{
    [Theory]
    [InlineData(ReclamationMethod.Batch)]
    [InlineData(ReclamationMethod.Amortised)]
    [InlineData(ReclamationMethod.TokenRing)]
    public void Nothing_is_freed_before_two_epochs_have_passed(ReclamationMethod method)
    {
        ReclamationPolicy policy = ReclamationPolicy.Of(method);
        Pieces item = Retire(policy, 1);
        Work(policy);
        Assert.Equal(1, item.Left);
        Advance(policy);
        Work(policy);
        Assert.Equal(1, item.Left);
        Advance(policy);
        Work(policy);
        Assert.Equal(0, item.Left);
    }

    [Theory]
    [InlineData(ReclamationMethod.Batch)]
    [InlineData(ReclamationMethod.Amortised)]
    [InlineData(ReclamationMethod.TokenRing)]
    public void A_reader_inside_keeps_everything_that_is_retired_meanwhile(ReclamationMethod method)
    {
        ReclamationPolicy policy = ReclamationPolicy.Of(method);
        using ParkedReader reader = new();
        List<Pieces> items = [.. Enumerable.Range(0, 50).Select(_ => Retire(policy, 3))];
        for (int i = 0; i < 10; i++)
        {
            Advance(policy);
            Work(policy);
        }
        Assert.All(items, static item => Assert.Equal(3, item.Left));
        reader.Release();
        for (int i = 0; i < 100; i++)
        {
            Advance(policy);
            Work(policy);
        }
        Assert.All(items, static item => Assert.Equal(0, item.Left));
        Assert.Equal(0, policy.Count);
    }

    [Fact]
    public void In_batches_the_advance_frees_all_and_an_operation_nothing()
    {
        ReclamationPolicy policy = ReclamationPolicy.Of(ReclamationMethod.Batch);
        Pieces item = Retire(policy, 1000);
        PassGraceUnseen();
        policy.OperationDone();
        Assert.Equal(1000, item.Left);
        policy.EpochMoved();
        Assert.Equal(0, item.Left);
    }

    [Fact]
    public void Amortised_an_operation_frees_one_piece_while_freeing_keeps_up()
    {
        AmortisedReclamation policy = new();
        Pieces item = Retire(policy, 3);
        for (int i = 0; i < Epoch.Grace; i++) Assert.True(Epoch.TryMove());
        policy.OperationDone();
        Assert.Equal(2, item.Left);
        policy.OperationDone();
        Assert.Equal(1, item.Left);
        policy.OperationDone();
        Assert.Equal((0, 0), (item.Left, policy.Count));
    }

    [Fact]
    public void Amortised_an_operation_frees_one_more_for_each_one_before_it_while_freeing_is_behind()
    {
        AmortisedReclamation policy = new();
        Pieces item = Retire(policy, 10);
        PassGraceUnseen();
        int[] left = new int[4];
        for (int i = 0; i < left.Length; i++)
        {
            policy.OperationDone();
            left[i] = item.Left;
        }
        Assert.Equal([9, 7, 4, 0], left);
    }

    [Fact]
    public void Amortised_an_operation_frees_less_again_when_nothing_is_due()
    {
        AmortisedStripe stripe = new();
        Pieces item = new(100_000) { Stamp = GlobalEpoch.Now };
        stripe.Lane.Add(item);
        PassGraceUnseen();
        for (int i = 0; i < 1000; i++) stripe.FreeShare();
        Assert.Equal(AmortisedStripe.LargestShare, stripe.Share);
        while (item.Left > 0) stripe.FreeShare();
        for (int i = 0; i < AmortisedStripe.LargestShare; i++)
        {
            Assert.True(Epoch.TryMove());
            stripe.FreeShare();
        }
        Assert.Equal(1, stripe.Share);
    }

    [Fact]
    public void Amortised_an_operation_frees_pieces_of_several_things()
    {
        AmortisedReclamation policy = new();
        List<Pieces> items = [Retire(policy, 1), Retire(policy, 2), Retire(policy, 5)];
        PassGraceUnseen();
        for (int i = 0; i < 3; i++) policy.OperationDone();
        Assert.Equal([0, 0, 2], items.Select(static item => item.Left));
    }

    [Fact]
    public void Amortised_advances_free_what_threads_left_that_do_nothing_any_more()
    {
        ReclamationPolicy policy = new AmortisedReclamation();
        List<Pieces> items = [];
        for (int i = 0; i < 16; i++)
        {
            Thread thread = new(() => items.Add(Retire(policy, 10)));
            thread.Start();
            thread.Join();
        }
        for (int i = 0; i < 100; i++) Advance(policy);
        Assert.All(items, static item => Assert.Equal(0, item.Left));
    }

    [Theory]
    [InlineData(ReclamationMethod.Batch)]
    [InlineData(ReclamationMethod.Amortised)]
    [InlineData(ReclamationMethod.TokenRing)]
    public void The_younger_part_of_a_thing_waits_until_it_is_due_and_delays_nothing_else(ReclamationMethod method)
    {
        ReclamationPolicy policy = ReclamationPolicy.Of(method);
        TwoAges item = new();
        policy.Add(item);
        Pieces behind = Retire(policy, 5);
        PassGraceUnseen();
        item.Younger = GlobalEpoch.Now;
        policy.Free(int.MaxValue, waits: false);
        Assert.Equal((1, 0), (item.Left, behind.Left));
        policy.Free(int.MaxValue, waits: false);
        Assert.Equal(1, item.Left);
        PassGraceUnseen();
        policy.Free(int.MaxValue, waits: false);
        Assert.Equal((0, 0), (item.Left, policy.Count));
    }

    [Theory]
    [InlineData(ReclamationMethod.Batch)]
    [InlineData(ReclamationMethod.Amortised)]
    [InlineData(ReclamationMethod.TokenRing)]
    public void Draining_frees_all_that_is_due_and_nothing_else(ReclamationMethod method)
    {
        ReclamationPolicy policy = ReclamationPolicy.Of(method);
        Pieces due = Retire(policy, 1000);
        PassGraceUnseen();
        Pieces young = Retire(policy, 1000);
        policy.Free(int.MaxValue, waits: false);
        Assert.Equal((0, 1000), (due.Left, young.Left));
    }

    /// <summary>As a text that is interned again: it replaces others, which moves the epoch on and drains again.</summary>
    [Theory]
    [InlineData(ReclamationMethod.Batch)]
    [InlineData(ReclamationMethod.Amortised)]
    [InlineData(ReclamationMethod.TokenRing)]
    public void An_item_that_drains_the_queue_again_is_freed_once_and_so_are_the_others(ReclamationMethod method)
    {
        ReclamationPolicy policy = ReclamationPolicy.Of(method);
        Draining first = new(policy);
        policy.Add(first);
        List<Pieces> behind = [.. Enumerable.Range(0, 3).Select(_ => Retire(policy, 1))];
        PassGraceUnseen();
        policy.Free(int.MaxValue, waits: false);
        Assert.Equal(1, first.Releases);
        Assert.All(behind, static item => Assert.Equal(0, item.Left));
        Assert.Equal(0, policy.Count);
    }

    [Theory]
    [InlineData(ReclamationMethod.Batch)]
    [InlineData(ReclamationMethod.Amortised)]
    [InlineData(ReclamationMethod.TokenRing)]
    public void An_item_that_fails_is_not_freed_again_and_stops_no_other(ReclamationMethod method)
    {
        ReclamationPolicy policy = ReclamationPolicy.Of(method);
        Failing failing = new();
        policy.Add(failing);
        Pieces behind = Retire(policy, 1);
        PassGraceUnseen();
        Assert.Throws<UnreachableException>(() => policy.Free(int.MaxValue, waits: false));
        policy.Free(int.MaxValue, waits: false);
        Assert.Equal((1, 0, 0), (failing.Releases, behind.Left, policy.Count));
    }

    private static Pieces Retire(ReclamationPolicy policy, int pieces)
    {
        Pieces item = new(pieces) { Stamp = GlobalEpoch.Now };
        policy.Add(item);
        return item;
    }

    private static void Advance(ReclamationPolicy policy)
    {
        if (Epoch.TryMove()) policy.EpochMoved();
    }

    private static void Work(ReclamationPolicy policy)
    {
        for (int i = 0; i < 100; i++) policy.OperationDone();
    }

    // The policy under test is not that of the process, so it does not notice.
    private static void PassGraceUnseen() => TestTable.PassGrace();

    private sealed class Pieces(int pieces) : RetiredParts
    {
        public int Left { get; private set; } = pieces;

        public override bool ReleaseSome(ref int pieces)
        {
            Assert.True(Left > 0, "freed twice");
            int taken = Math.Min(pieces, Left);
            Left -= taken;
            pieces -= taken;
            return Left == 0;
        }
    }

    /// <summary>Two pieces, of which the second was retired later.</summary>
    private sealed class TwoAges : RetiredParts
    {
        public TwoAges() => Stamp = GlobalEpoch.Now;

        public int Left { get; private set; } = 2;

        public long Younger { get; set; }

        public override bool ReleaseSome(ref int pieces)
        {
            Left--;
            pieces--;
            Stamp = Younger;
            return Left == 0;
        }
    }

    /// <summary>Retires nothing, but does what a thread does that made garbage.</summary>
    private sealed class Draining : Retired
    {
        private readonly ReclamationPolicy _policy;

        public Draining(ReclamationPolicy policy)
        {
            _policy = policy;
            Stamp = GlobalEpoch.Now;
        }

        public int Releases { get; private set; }

        public override void Release()
        {
            Releases++;
            // A policy that releases it again shall not do so for ever.
            if (Releases > 1) return;
            _policy.OperationDone();
            _policy.EpochMoved();
            _policy.Free(int.MaxValue, waits: false);
        }
    }

    private sealed class Failing : Retired
    {
        public Failing() => Stamp = GlobalEpoch.Now;

        public int Releases { get; private set; }

        public override void Release()
        {
            Releases++;
            throw new UnreachableException();
        }
    }
}
