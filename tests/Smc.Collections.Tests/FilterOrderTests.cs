using Smc.Collections.Kernels;
using Xunit;

namespace Smc.Collections.Tests;

public sealed class FilterOrderTests
{
    [Fact]
    public void Filters_begin_in_the_order_of_the_query() => Assert.Equal([0, 1, 2], Order(new FilterOrder(3)));

    [Fact]
    public void The_filter_that_keeps_the_smallest_share_is_asked_first()
    {
        FilterOrder order = new(3);
        Ask(ref order, [0.9, 0.5, 0.1], batches: 2);
        Assert.Equal([2, 1, 0], Order(order));
    }

    [Fact]
    public void A_filter_that_was_not_asked_yet_comes_after_one_that_drops_rows()
    {
        FilterOrder order = new(2);
        Ask(ref order, [0, 0.5], batches: 1);
        Assert.Equal([0, 1], Order(order, filters: 2));
    }

    [Fact]
    public void The_order_follows_data_that_changes_along_the_scan()
    {
        FilterOrder order = new(2);
        Ask(ref order, [0.1, 0.9], batches: 10_000);
        Assert.Equal([0, 1], Order(order, filters: 2));
        Ask(ref order, [0.95, 0.2], batches: 1_000);
        Assert.Equal([1, 0], Order(order, filters: 2));
    }

    [Fact]
    public void The_order_stays_where_a_filter_may_find_rows_without_an_answer()
    {
        FilterOrder order = new(3);
        order.FixUnless(true);
        order.FixUnless(false);
        order.FixUnless(true);
        Ask(ref order, [0.9, 0.5, 0.1], batches: 10);
        Assert.Equal([0, 1, 2], Order(order));
    }

    [Fact]
    public void Of_filters_that_keep_about_the_same_share_the_one_that_looks_a_column_up_fastest_is_asked_first()
    {
        FilterOrder order = new(3);
        order.Weigh([650, 240, 50]);
        Ask(ref order, [0.04, 0.03, 0.05], batches: 2);
        Assert.Equal([2, 1, 0], Order(order));
    }

    [Fact]
    public void A_fast_look_up_of_a_column_does_not_come_first_where_it_leaves_too_many_rows()
    {
        FilterOrder order = new(2);
        order.Weigh([650, 50]);
        Ask(ref order, [0.01, 0.5], batches: 2);
        Assert.Equal([0, 1], Order(order, filters: 2));
    }

    private static void Ask(ref FilterOrder order, double[] shares, int batches)
    {
        for (int batch = 0; batch < batches; batch++)
        {
            int count = 1024;
            for (int turn = 0; turn < shares.Length; turn++)
            {
                int kept = (int)(count * shares[order[turn]]);
                order.Note(turn, count, kept);
                count = kept;
            }

            order.Sort();
        }
    }

    private static int[] Order(FilterOrder order, int filters = 3) => [.. Enumerable.Range(0, filters).Select(turn => order[turn])];
}
