using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Scans over the soft mark of a garbage budget. Alone, because readers of other tests would hold garbage back too.</summary>
[Collection("Alone")]
public sealed class ScanRenewalTests
{
    private const int Staying = 2000;
    private const int ChurnPerBlock = 100;
    private const long SoftMark = 4096;

    [Fact]
    public void A_renewable_scan_over_the_soft_mark_lets_garbage_go_and_sees_what_stays_once()
    {
        using Collection<Item> items = Fill();
        long bytesPerRow = CollectionAccess.Context(items).Layout.BytesPerRow;

        (List<int> seen, long churned, long garbage) = ScanWithChurn(items, isRenewable: true);

        Assert.Equal(Enumerable.Range(0, Staying), seen.Where(k => k >= 0).Order());
        Assert.InRange(garbage, 0, churned * bytesPerRow / 2);
        Assert.Equal(0, CollectionAccess.Context(items).CompactionGate.RenewingScans);
    }

    [Fact]
    public void A_scan_that_may_not_be_renewed_keeps_everything_that_is_removed_meanwhile()
    {
        using Collection<Item> items = Fill();
        long bytesPerRow = CollectionAccess.Context(items).Layout.BytesPerRow;

        (List<int> seen, long churned, long garbage) = ScanWithChurn(items, isRenewable: false);

        Assert.Equal(Enumerable.Range(0, Staying), seen.Where(k => k >= 0).Order());
        Assert.Equal(churned * bytesPerRow, garbage);
    }

    [Fact]
    public void A_renewable_scan_inside_another_section_is_not_renewed()
    {
        using Collection<Item> items = Fill();
        using CriticalSection section = CriticalSection.Enter();
        long bytesPerRow = CollectionAccess.Context(items).Layout.BytesPerRow;

        (_, long churned, long garbage) = ScanWithChurn(items, isRenewable: true);

        Assert.Equal(churned * bytesPerRow, garbage);
    }

    [Fact]
    public void A_renewable_scan_passes_over_blocks_that_have_left()
    {
        using Collection<Item> items = Fill();
        List<Item> rows = [.. items];
        List<int> seen = [];
        using CriticalSection section = CriticalSection.Enter();
        using (BlockScanner scan = Begin(items, section))
        {
            for (int block = 0; scan.MoveNext(); block++)
            {
                seen.AddRange(KeysOf(scan));
                if (block == 2)
                {
                    rows.FindAll(r => r.Key % Staying >= Staying / 2).ForEach(r => items.Remove(r));
                    Assert.True(Epoch.IsUnderPressure);
                    items.TrimExcess();
                }
            }
        }

        Assert.Equal(Enumerable.Range(0, Staying / 2), seen.Order());
    }

    private static Collection<Item> Fill()
    {
        Collection<Item> items = new(new CollectionOptions { BlockCapacity = 64, CompactionOccupancy = 0, Garbage = new GarbageBudget { SoftMark = SoftMark } });
        for (int i = 0; i < Staying; i++)
            items.Add(key: i, text: "");
        return items;
    }

    private static BlockScanner Begin(Collection<Item> items, CriticalSection renewable) =>
        BlockScanner.Begin(items, CollectionAccess.Context(items).Layout.Hash, renewable);

    /// <summary>Adds and removes rows with negative keys between the blocks of a scan, and measures what waits before the scan ends.</summary>
    private static (List<int> Seen, long Churned, long Garbage) ScanWithChurn(Collection<Item> items, bool isRenewable)
    {
        List<int> seen = [];
        long churned = 0;
        using CriticalSection section = CriticalSection.Enter();
        using BlockScanner scan = Begin(items, isRenewable ? section : default);
        while (scan.MoveNext())
        {
            seen.AddRange(KeysOf(scan));
            for (int i = 0; i < ChurnPerBlock; i++, churned++)
                items.Remove(items.Add(key: -1, text: ""));
        }

        return (seen, churned, items.GarbageBytes);
    }

    private static List<int> KeysOf(BlockScanner scan)
    {
        List<int> keys = [];
        for (int slot = 0; slot < scan.SlotCount; slot++)
        {
            ulong handle = (RowAccess.Read<ulong>(scan.Validity + ((ulong)(slot >> 6) * 8)) >> (slot & 63) & 1) != 0 ? BlockHeader.HandleAt(scan.Block, slot) : 0;
            if (handle != 0)
                keys.Add(RowHandle.FromBits<Item>(handle).Key);
        }

        return keys;
    }
}

[CollectionDefinition("Alone", DisableParallelization = true)]
public sealed class AloneCollection;
