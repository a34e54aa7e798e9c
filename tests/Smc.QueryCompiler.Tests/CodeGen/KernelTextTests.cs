using System.Text.RegularExpressions;
using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Tests.EndToEnd;
using Xunit;

namespace Smc.QueryCompiler.Tests.CodeGen;

/// <summary>What kernels are made of: which variants and stages a query gets, and that its text says what it is.</summary>
public sealed class KernelTextTests
{
    private const string Revenue = "items.Where(l => l.ShipDate >= new DateOnly(1995, 3, 1) && l.Discount >= 0.05m && l.Discount <= 0.07m && l.Quantity < 24).Sum(l => l.Price * l.Discount)";

    [Fact]
    public void The_query_and_its_plan_stand_above_the_kernel()
    {
        string text = Text("items.Where(l => l.Number > 10).Select(l => l.Number).ToList()");
        Assert.Contains("// static items => items.Where(l => l.Number > 10).Select(l => l.Number).ToList()", text);
        Assert.Contains("//     Filter (line.Number > 10)", text);
    }

    [Fact]
    public void A_query_that_no_data_can_disturb_has_one_variant()
    {
        string text = Text("items.Where(l => l.Number > 10).Select(l => l.Number).ToList()");
        Assert.DoesNotContain("class Plain", text);
        Assert.DoesNotContain("s.GaveUp = true", text);
    }

    [Fact]
    public void Exact_sums_bring_a_plain_variant_for_what_64_bits_do_not_hold()
    {
        string text = Text("items.Sum(l => l.Price * l.Discount)");
        Assert.Contains("private static class Plain", text);
        Assert.Contains("IsBounded", text);
    }

    [Theory]
    [InlineData(128, true)]
    [InlineData(129, false)]
    public void Groups_are_summed_in_lanes_as_long_as_16_bits_tell_where_these_are(int sums, bool hasLanes) => Assert.Equal(
        hasLanes,
        Text($"items.GroupBy(l => l.Number).Select(g => new long[] {{ {string.Join(", ", Enumerable.Range(2, sums).Select(i => $"g.Sum(l => (long)(l.Number * {i}))"))} }}).ToList()", known: false).Contains("LaneSums.Create(", StringComparison.Ordinal));

    [Fact]
    public void The_generator_and_the_run_time_agree_on_the_most_bytes_of_lanes() => Assert.Equal(Smc.Collections.Kernels.LaneSums.MaxLaneBytes, AggregateEmitter.MaxLaneBytes);

    [Theory]
    [InlineData("items.Count()")]
    [InlineData("items.GroupBy(l => l.Order).Select(g => g.Key.OrderDate).ToList()")]
    [InlineData("items.Sum(l => l.ExtendedPrice * l.Discount)")]
    public void A_kernel_is_in_one_section_from_its_first_look_at_a_collection_to_its_result(string query)
    {
        string text = Emitted(query);

        Assert.Equal(Count(text, "CollectionAccess.Context<"), Count(text, "CriticalSection section = CriticalSection.Enter();"));
        Assert.Matches(@"CriticalSection\.Enter\(\);\s+State s = default;\s+s\.Context0", text);
        Assert.Contains(", section);", text);
    }

    [Theory]
    [InlineData("items.Count(l => l.Mode.StartsWith(\"R\", StringComparison.Ordinal))", true)]
    [InlineData("items.Count(l => l.Mode.Contains(\"R\"))", false)]
    [InlineData("items.Count(l => string.CompareOrdinal(l.Mode, \"RAIL\") >= 0)", false)]
    public void A_scan_stays_in_its_section_while_answers_about_texts_are_kept(string query, bool isRenewed) =>
        Assert.Equal(isRenewed, Text(query, known: false).Contains(", section);", StringComparison.Ordinal));

    [Theory]
    [InlineData("items.Count(l => string.CompareOrdinal(l.Mode, \"RAIL\") >= 0)", ".Compare(")]
    [InlineData("items.Count(l => 0 <= string.CompareOrdinal(\"RAIL\", l.Mode))", "-s.Order")]
    [InlineData("items.Count(l => string.CompareOrdinal(l.Order.Comment, \"RAIL\") >= 0)", ".Compare(")]
    public void A_text_that_rows_share_is_compared_once(string query, string call)
    {
        string text = Text(query, known: false);

        Assert.Contains(call, text);
        Assert.DoesNotContain("StringWord.CompareOrdinal(", text);
    }

    [Theory]
    [InlineData("items.Count(l => l.ExtendedPrice > l.Discount * 2)", true)]
    [InlineData("(from l in items let paid = l.ExtendedPrice * (1 - l.Discount) where paid > 5m select paid).Sum()", true)]
    [InlineData("items.Sum(l => l.Number > 3 ? l.ExtendedPrice * l.Discount : l.ExtendedPrice)", true)]
    [InlineData("items.Sum(l => l.ExtendedPrice / (l.Discount + 1))", true)]
    [InlineData("items.Count(l => l.ExtendedPrice / l.Discount > 3)", false)]
    public void Decimals_of_known_scale_are_integers(string query, bool areIntegers) =>
        Assert.Equal(areIntegers, Emitted(query).Contains("ScaledArithmetic.", StringComparison.Ordinal));

    [Fact]
    public void A_part_of_a_nested_query_that_reads_nothing_around_it_runs_once()
    {
        string text = Emitted("items.Take(3).Select(l => items.GroupBy(m => m.Number).Select(g => g.Count()).Where(n => n < l.Number).Sum()).ToList()");
        Assert.Contains("private static void Keep", text);
        Assert.Contains("if (s.IsKept", text);
        Assert.DoesNotContain("private static void Keep", Emitted("items.Take(3).Select(l => items.Where(m => m.Number < l.Number).Sum(m => m.Number)).ToList()"));
    }

    [Fact]
    public void A_product_of_ints_that_becomes_a_decimal_is_bounded_as_an_int() =>
        Assert.Matches(@"return [^;]*Int32Limit", Emitted("items.Sum(l => (l.Number * l.Number) - l.Discount)"));

    [Theory]
    [InlineData("items.Count(l => l.Number is 3 or 7 or 100)", 1)]
    [InlineData("items.Count(l => l.Number == 3 || l.Number == 7 || l.Number == 100)", 1)]
    [InlineData("items.Select(l => l.Number).GroupBy(n => n).Select(g => new { g.Key, Most = g.Max() }).ToList()", 1)]
    [InlineData("items.GroupBy(l => l.Number).Select(g => new { g.Key, Most = g.Max(l => l.Number) }).ToList()", 1)]
    [InlineData("items.Select(l => l.Number).Distinct().OrderBy(n => n).ToList()", 1)]
    [InlineData("items.Select(l => l.Number).Where(n => (n & 1) == 0 && 100 / n == 20).Count()", 2)]
    public void A_property_that_the_query_uses_several_times_is_loaded_once(string query, int loads) => Assert.Equal(loads, Count(Emitted(query), "LineItem_Number + (slot * LineItem_Number_Stride)"));

    [Theory]
    [InlineData("items.Count(l => l.Order.ShipPriority is 3 or 7)", ".ReferencesIn(block, LineItem_Order_Zone", 1)]
    [InlineData("items.Count(l => l.Order.ShipPriority is 3 or 7)", "RowAccess.Locate<", 1)]
    [InlineData("items.Sum(l => l.Order.ShipPriority + l.Order.OrderKey)", "RowAccess.Locate<", 1)]
    [InlineData("items.Select(l => l.Order.Agent).Where(a => a != null).ToList()", "Order_Agent + ", 1)]
    [InlineData("items.Select(l => l.Order).Where(o => o != default(Order) && o.ShipPriority > 3).Count()", "LineItem_Order + (slot * ", 1)]
    public void A_place_behind_a_reference_is_loaded_once_too(string query, string load, int loads) => Assert.Equal(loads, Count(Emitted(query), load));

    [Theory]
    [InlineData("items.Where(l => items.Count(m => m.Order.ShipPriority is 3 or 7) > l.Number).Count()")]
    [InlineData("items.Where(l => items.Count(m => l.Order.ShipPriority is 3 or 7) > 5).Count()")]
    [InlineData("items.GroupBy(l => l.Number).Select(g => g.Sum(l => items.Count(m => m.Order.ShipPriority is 3 or 7 && m.Number < l.Number))).ToList()")]
    public void What_an_inner_query_reads_is_not_loaded_around_it(string query) => Assert.DoesNotMatch(
        @"once\d+_ShipPriority = [^;]*;\s+if \(\(?Subquery", Emitted(query));

    [Fact]
    public void Conditions_on_a_reference_and_behind_it_are_tested_on_one_load_of_it() => Assert.Matches(
        @"(?s)Consume\d+\(ref State.*var once\d+_Order = .*once\d+_Order != [^;]*once\d+_Order",
        Emitted("(from l in items let o = l.Order where o != other && o.ShipPriority > 3 select l.Number).ToList()", "Order other"));

    [Theory]
    [InlineData("items.Where(l => l.ExtendedPrice > l.Discount + l.Quantity).Count()", "ExtendedPrice")]
    [InlineData("items.GroupBy(l => l.Number).Select(g => g.Count()).ToList()", "Number")]
    public void Values_that_lie_in_rows_are_asked_for_ahead_and_columns_before_the_loop(string query, string column)
    {
        QueryPlan columns = PlanOptimizer.Optimize(QueryCompilation.ReadQuery(query).Plan!);
        QueryPlan rows = columns with { Shapes = columns.Shapes.Select(shape => shape with { Layout = LayoutKind.Row }).ToEquatableArray() };

        Assert.Contains($"AskForRow(block + LineItem_{column}, LineItem_{column}_Stride, next)", KernelEmitter.Emit(rows).SourceText);
        Assert.DoesNotContain("AskForRow", KernelEmitter.Emit(columns).SourceText);
        Assert.Contains($"AskForColumn(block + LineItem_{column}, LineItem_{column}_Stride, s.Selection, count)", KernelEmitter.Emit(columns).SourceText);
        Assert.DoesNotContain("AskForColumn", KernelEmitter.Emit(rows).SourceText);
    }

    [Theory]
    [InlineData("items.Where(l => l.Order.ShipPriority > l.Number).Count()", "[Order_ShipPriority, Order_ShipPriority_Stride]")]
    [InlineData("items.GroupBy(l => l.Number).Select(g => g.Sum(l => l.Order.ShipPriority)).ToList()", "[Order_ShipPriority, Order_ShipPriority_Stride]")]
    [InlineData("(from l in items let priority = l.Order.ShipPriority where priority > 3 group l.Number by priority into g select g.Sum()).ToList()", "[Order_ShipPriority, Order_ShipPriority_Stride]")]
    [InlineData("items.Where(l => l.Order.Customer.Name.Length > l.Number).Count()", "[Order_Customer, Order_Customer_Stride, Customer_Name, Customer_Name_Stride]")]
    public void What_lies_behind_references_is_asked_for_before_the_loop_that_follows_them(string query, string path) => Assert.Contains(
        $"ReferencedRows.Ask(block + LineItem_Order, LineItem_Order_Stride, s.Selection, count, {path});", Emitted(query));

    [Fact]
    public void What_lies_behind_references_that_were_kept_is_asked_for_some_records_ahead() => Assert.Matches(
        @"ReferencedRows\.AskFor\(s\.Elements\d+\[.*ShipPriority, Order_ShipPriority_Stride\);", Emitted("items.Select(l => l.Order).Distinct().GroupBy(o => o.ShipPriority).Select(g => g.Count()).ToList()"));

    [Theory]
    [InlineData("items.Where(l => l.Number > 3).GroupBy(l => l.Order.ShipPriority).Select(g => g.Count()).ToList()", "Order_ShipPriority, Order_ShipPriority_Stride")]
    [InlineData("items.Where(l => l.Number > 3).GroupBy(l => new { l.Number, l.Order.OrderDate.Year }).Select(g => g.Count()).ToList()", "Order_OrderDate, Order_OrderDate_Stride")]
    public void What_keys_of_selected_rows_read_behind_references_is_asked_for_where_it_is_not_known(string query, string value) => Assert.Matches(
        $@"s\.Known\w*\.Ask\(references\w*, s\.Selection, count, {value}\);", Emitted(query));

    [Theory]
    [InlineData("items.Select(l => l.Order).Distinct().Count()")]
    [InlineData("items.Select(l => l.Number).Distinct().ToList()")]
    public void What_is_not_read_of_kept_references_is_not_asked_for(string query) => Assert.DoesNotContain("AskFor(", Emitted(query));

    [Theory]
    [InlineData("customers.Where(c => c.Name.Substring(0, 2) == \"ab\").Count()", true)]
    [InlineData("customers.GroupBy(c => c.Name.Length).Select(g => g.Count()).ToList()", true)]
    [InlineData("customers.Where(c => c.Name == \"ab\").Count()", false)]
    [InlineData("customers.GroupBy(c => c.Name).Select(g => g.Count()).ToList()", false)]
    public void Texts_are_asked_for_where_something_looks_into_them(string query, bool isAsked) =>
        Assert.Equal(isAsked, Emitted(query, "IEnumerable<Customer> customers").Contains("AskForTexts(block + Customer_Name, s.Selection, count)", StringComparison.Ordinal));

    [Fact]
    public void Least_and_greatest_integers_of_groups_are_held_as_ranks_and_count_no_rows()
    {
        string fast = Emitted("items.GroupBy(l => l.Order).Select(g => g.Min(l => l.Number)).ToList()");

        Assert.Contains("ExtremeRank.Greater(Read<uint>(group", fast);
        Assert.DoesNotContain("== 1", fast.Split("class Plain")[0]);
    }

    [Theory]
    [InlineData("items.Min(l => l.Number)")]
    [InlineData("items.GroupBy(l => l.Order).Select(g => g.Min(l => l.ShipDate)).ToList()")]
    [InlineData("items.GroupBy(l => l.Order).Select(g => g.Min(l => (double)l.Number)).ToList()")]
    public void Other_least_values_are_compared_as_LINQ_does(string query) => Assert.DoesNotContain("ExtremeRank", Emitted(query));

    // Keys behind a reference are remembered.
    [Theory]
    [InlineData("items.GroupBy(l => l.Order.ShipPriority).Select(g => g.Count()).ToList()")]
    [InlineData("items.Where(l => l.Order == l.Order).Count()")]
    public void What_is_not_read_of_every_row_is_not_asked_for(string query) => Assert.DoesNotContain("ReferencedRows", Emitted(query));

    [Theory]
    [InlineData("items.Where(l => l.ExtendedPrice > l.Discount).Count()", "KeepLess<long>", "Of(block, LineItem_Discount_Zone")]
    [InlineData("items.Where(l => l.ExtendedPrice <= l.Discount).Count()", "KeepLessOrEqual<long>", "Of(block, LineItem_ExtendedPrice_Zone")]
    [InlineData("items.Where(l => l.ReturnFlag == l.LineStatus).Count()", "KeepEqual<ushort>", "OfValues(block + LineItem_ReturnFlag")]
    [InlineData("items.Where(l => l.ReturnFlag != l.LineStatus).Count()", "KeepNotEqual<ushort>", "OfValues(block + LineItem_ReturnFlag")]
    public void Two_columns_of_one_kind_are_compared_whole_by_codes_if_they_have_some(string query, string call, string columns)
    {
        string kernel = Emitted(query);
        Assert.Contains($"ColumnPairFilter.{call}(pair0, first, rows, s.Bitmap)", kernel);
        Assert.Contains("ColumnPair pair0 = ColumnPair." + columns, kernel);
    }

    [Theory]
    [InlineData("items.Where(l => l.Number < l.Weight).Count()")]
    [InlineData("items.Where(l => l.Number < l.Order.ShipPriority).Count()")]
    [InlineData("items.Where(l => l.ExtendedPrice + 1 > l.Discount).Count()")]
    [InlineData("items.Where(l => l.Number > 3 && l.ExtendedPrice > l.Discount).Count()")]
    [InlineData("(from l in items let d = l.Discount where l.ExtendedPrice > d && d > 0.5m select l.Number).Count()")]
    public void Other_comparisons_are_not(string query) => Assert.DoesNotContain("ColumnPairFilter", Emitted(query));

    [Theory]
    [InlineData("items.Join(items, l => l.Number, m => m.Number, (l, m) => m.ExtendedPrice).ToList()", true)]
    [InlineData("items.Join(items.Where(m => m.Weight > 3), l => l.Number, m => m.Number, (l, m) => m.ExtendedPrice).ToList()", false)]
    public void Room_is_made_at_once_for_a_table_of_all_rows(string query, bool isMade) =>
        Assert.Equal(isMade, Regex.IsMatch(Emitted(query), @"s\.Built\d+\.Reserve\(ref s\.Region, s\.Context\d\.Count \+ 1L\);"));

    [Fact]
    public void Partners_are_asked_for_where_keys_are_columns_of_the_scanned_row_and_the_table_is_large() => Assert.Matches(
        @"if \(s\.Table\d+\.IsLarge\)\s+Ask\d+\(ref s, block, count\);", Emitted("items.Join(items, l => l.Number, m => m.Number, (l, m) => m.ExtendedPrice).ToList()"));

    [Theory]
    [InlineData("items.Join(items, l => l.Mode, m => m.Mode, (l, m) => m.Price).ToList()")]
    [InlineData("items.Join(items, l => l.Number * 2, m => m.Number, (l, m) => m.Price).ToList()")]
    [InlineData("items.Where(l => items.Any(m => m.Number == l.Number)).Count()")]
    public void Partners_by_other_keys_are_not_asked_for(string query) => Assert.DoesNotContain("IsLarge", Text(query, known: false));

    [Theory]
    [InlineData("items.Join(items.Where(p => p.Price > 3), l => l.Number, p => p.Number, (l, p) => l).Join(items, l => l.Number, q => q.Number, (l, q) => q.Price).ToList()", true)]
    [InlineData("items.Join(items, l => l.Number, p => p.Number, (l, p) => l).Join(items, l => l.Number, q => q.Number, (l, q) => q.Price).ToList()", false)]
    [InlineData("items.Join(items.Where(p => p.Price > 3), l => l.Number, p => p.Number, (l, p) => l).Join(items, l => l.Big, q => q.Big, (l, q) => q.Price).ToList()", false)]
    [InlineData("items.Join(items.Where(p => p.Price > 3), l => l.Number, p => p.Number, (l, p) => new { l, p }).Join(items, x => x.p.Number, q => q.Number, (x, q) => q.Price).ToList()", false)]
    public void Keys_of_a_join_below_filter_what_is_joined_on_the_same_column(string query, bool isFiltered)
    {
        int scans = Regex.Matches(Text(query, known: false), @"s\.Keys\d+_\d+\.Append<").Count;
        // That on the left has a filter wherever a join is selective.
        Assert.Equal(isFiltered, scans > 1);
    }

    [Theory]
    [InlineData("items.Count(l => IsEven(l.Number))", true)]
    [InlineData("items.Where(l => IsEven(l.Number)).Sum(l => l.ExtendedPrice * l.Discount)", false)]
    public void A_call_that_may_have_effects_costs_a_query_its_fast_variant_where_that_could_give_up(string query, bool isFast)
    {
        QueryPlan plan = QueryCompilation.ReadQuery(query, members: "public static bool IsEven(int n) { while (n > 1) n -= 2; return n == 0; }").Plan!;
        string text = KernelEmitter.Emit(PlanOptimizer.Optimize(plan)).SourceText;

        Assert.Equal(isFast, text.Contains("ParallelScan.TryRun<", StringComparison.Ordinal));
        Assert.DoesNotContain("bool TryRun(", text);
    }

    [Theory]
    [InlineData("items.Sum(l => l.Price * int.Parse(l.Mode))")]
    [InlineData("items.Sum(l => l.Price * new Dictionary<string, int>()[l.Mode])")]
    [InlineData("items.Sum(l => new Dictionary<string, int>().TryGetValue(l.Mode, out int n) ? l.Price * n : 0)")]
    [InlineData("items.GroupBy(l => l.Mode, StringComparer.OrdinalIgnoreCase).Select(g => g.Sum(l => l.Exact)).ToList()")]
    public void What_only_looks_does_not_cost_a_query_its_fast_variant(string query) => Assert.Contains("bool TryRun(", Text(query, known: false));

    [Theory]
    [InlineData("items.Sum(l => int.TryParse(l.Mode, out int n) ? n : 0)")]
    [InlineData("items.Sum(l => !int.TryParse(l.Mode, out int n) ? 0 : n)")]
    public void What_a_call_gives_back_is_at_hand_where_its_result_was_tested(string query) =>
        Assert.DoesNotContain(Text(query, known: false).Split('\n'), line => line.Contains(".Item2", StringComparison.Ordinal) && !line.TrimStart().StartsWith("//", StringComparison.Ordinal));

    [Theory]
    [InlineData("items.ToDictionary(l => l.Mode, StringComparer.OrdinalIgnoreCase)", "(@count, global::System.StringComparer.OrdinalIgnoreCase)")]
    [InlineData("items.Select(l => l.Mode).ToHashSet(StringComparer.InvariantCultureIgnoreCase)", "new(global::System.StringComparer.InvariantCultureIgnoreCase)")]
    [InlineData("items.ToLookup(l => l.Mode, StringComparer.OrdinalIgnoreCase)", "ToLookup(@rows, global::System.StringComparer.OrdinalIgnoreCase)")]
    public void A_collection_that_is_the_result_has_the_comparer_of_the_query(string query, string made) =>
        Assert.Matches(System.Text.RegularExpressions.Regex.Escape(made).Replace("@count", "[^(),]+").Replace("@rows", @"\w+"), Text(query, known: false));

    [Fact]
    public void Comparisons_of_one_column_become_one_range()
    {
        string text = Text("items.Where(l => l.Discount >= 0.05m && l.Discount <= 0.07m && l.Quantity < 24).Select(l => l.Price).ToList()");
        Assert.Contains("ValueRange.All.AtLeast(0.05m, 2).AtMost(0.07m, 2);", text);
        Assert.Equal(2, Count(text, "ColumnFilter.Keep<"));
    }

    [Fact]
    public void A_condition_that_can_raise_stays_behind_the_one_before_it()
    {
        string text = Text("items.Where(l => l.Number != 0 && 100 / l.Number > 5).Select(l => l.Number).ToList()");
        Assert.Matches(@"(?s)= Select\d+_0\(ref s, block, count\).*Consume\d+\(ref s, block, count\)", text);
        Assert.Contains("unchecked(100 / ", text);
    }

    [Fact]
    public void Both_layouts_compare_columns_before_rows() => Assert.Contains("ColumnFilter.Keep<long>", KernelsAgreeWithLinq.Shop("Row").Kernel(
        "items.Where(l => l.Discount >= 0.05m && l.Discount <= 0.07m && l.Quantity < 24).Select(l => l.Price).ToList()").SourceText);

    // Whole batches of keys are read only where these lie side by side.
    [Theory]
    [InlineData("items.GroupBy(l => l.Number).Select(g => new { g.Key, Sum = g.Sum(l => l.Quantity) }).ToList()")]
    [InlineData("items.GroupBy(l => l.Number).Select(g => new { g.Key, Sum = g.Sum(l => 1) }).ToList()")]
    public void Groups_of_rows_are_found_by_the_values_of_an_integer_too(string query)
    {
        string text = KernelsAgreeWithLinq.Shop("Row").Kernel(query).SourceText;
        Assert.Contains("IntegerKeys.OfScan(", text);
        Assert.DoesNotContain("KeyIndexes.Add<", text);
    }

    // Found by the stress test on a busy machine: a writer changed the key between the sort and the result.
    [Theory]
    [InlineData("items.OrderBy(l => l.Number).Select(l => l.Number).ToList()")]
    [InlineData("items.OrderByDescending(l => l.Number).Take(4).Select(l => l.Number).ToList()")]
    public void An_integer_that_rows_are_sorted_by_is_not_loaded_again(string query) => Assert.Matches(@"\.Add\(ordered\d+\.Key0\);", Text(query, known: false));

    [Fact]
    public void A_value_of_a_referenced_row_is_computed_once_for_it()
    {
        string text = Text("(from l in items let at = l.Order.Customer.Name.IndexOf(\"1\", StringComparison.Ordinal) where at < 0 || l.Order.Customer.Name.IndexOf(\"2\", at, StringComparison.Ordinal) < 0 select l.Price).ToList()");
        Assert.Matches(@"void Evaluate[\d_]+\(.*bool answer = [^;]*IndexIn", text.ReplaceLineEndings(" "));
    }

    [Fact]
    public void A_short_part_of_a_text_needs_no_string() =>
        Assert.Contains("TextPattern.SubstringWord(", Text("items.GroupBy(l => l.Mode.Substring(0, 2)).Select(g => new { g.Key, N = g.Count() }).ToList()"));

    [Fact]
    public void What_a_nested_query_is_given_has_names_that_no_local_has()
    {
        // Found by random queries (seed 1300014): a parameter and a local were both value30.
        string text = Text("items.Select(l => items.Where(m => m.Number > l.Number).Sum(m => m.Big)).ToList()", known: false);
        Assert.Matches(@"private static \S+ Subquery\w*\(.*outer", text);
        Assert.DoesNotMatch(@"private static .*[(,] ?\S+ (row|value|group)\d+[,)]", text);
    }

    [Theory]
    [InlineData("items.GroupBy(l => l.Number).SelectMany(g => g.Where(l => l.Big > 5 && l.Order.Priority == 1), (g, l) => l.Price).ToList()", 1)]
    [InlineData("items.GroupBy(l => l.Number).Where(g => g.Count() > 1).SelectMany(g => g.Where(l => l.Order.Priority == 1 && l.Order.Customer.Segment == \"BUILDING\"), (g, l) => l.Price).ToList()", 1)]
    [InlineData("items.GroupBy(l => l.Number).SelectMany(g => g.Where(l => 6 / l.Number < 3 && l.Order.Priority == 1), (g, l) => l.Price).ToList()", 0)]
    [InlineData("items.GroupBy(l => l.Number).SelectMany(g => g.Where(l => g.Count() > l.Order.Priority), (g, l) => l.Price).ToList()", 0)]
    [InlineData("items.GroupBy(l => l.Number).SelectMany(g => g.Take(3).Where(l => l.Order.Priority == 1), (g, l) => l.Price).ToList()", 0)]
    public void Rows_of_groups_are_kept_only_where_references_lead_to_what_their_reader_asks_for(string query, int tests) =>
        Assert.Equal(tests, Count(Text(query, known: false), ".IsTrue("));

    [Theory]
    [InlineData("items.Where(l => l.Price * (1 - l.Discount) > l.Tax).Count()", true)]
    [InlineData("(from l in items let paid = l.Price * (1 - l.Discount) where paid > 500m select paid).Sum()", true)]
    [InlineData("items.Where(l => !(l.Price * l.Quantity > 3m) || l.Number == 4).Select(l => l.Number).ToList()", true)]
    [InlineData("items.Where(l => l.Price / 3m > l.Tax).Count()", false)]
    [InlineData("items.Where(l => l.Price * (7 / l.Number) > l.Tax).Count()", false)]
    [InlineData("items.Where(l => 7 / l.Number > 3 && l.Price * l.Discount > l.Tax).Count()", false)]
    public void Decimals_that_are_computed_as_integers_are_compared_without_branches(string query, bool arePasses) =>
        Assert.Equal(arePasses, Text(query, known: false).Contains("int Select", StringComparison.Ordinal));

    [Theory]
    [InlineData("(from l in items let paid = l.Price * (1 - l.Discount) where paid > 500m select paid).Sum()", true)]
    [InlineData("(from l in items let half = l.Price / 2 where half > 500m select half).Sum()", false)]
    public void Sums_of_decimals_that_a_let_computes_as_integers_are_sums_of_integers(string query, bool areIntegers) =>
        Assert.Equal(areIntegers, Text(query, known: false).Contains("Int128 A", StringComparison.Ordinal));

    [Theory]
    [InlineData("items.Select(l => items.Where(m => m.Number > l.Number - 3 && m.Number <= l.Number).Sum(m => m.Weight)).ToList()", true)]
    [InlineData("items.Select(l => items.Where(m => l.ShipDate.AddDays(-7) <= m.ShipDate && m.ShipDate < l.ShipDate && m.Mode == l.Mode).Count()).ToList()", true)]
    [InlineData("items.SelectMany(l => items.Where(m => m.Number > l.Number && m.Number < l.Number + 2), (l, m) => m.Price).ToList()", true)]
    [InlineData("items.Select(l => items.Where(m => m.Order == l.Order && m.Price > l.Price).Sum(m => m.Price)).ToList()", true)]
    [InlineData("items.GroupBy(l => l.ShipDate).Select(g => new { g.Key, N = g.Count() }).Select(x => items.GroupBy(l => l.ShipDate).Select(g => new { g.Key, N = g.Count() }).Where(y => y.Key > x.Key.AddDays(-7) && y.Key <= x.Key).Sum(y => y.N)).ToList()", true)]
    [InlineData("items.Select(l => items.Count(m => m.Number > l.Number - 3 && m.Number < l.Number)).ToList()", true)]
    [InlineData("items.Count(l => items.Any(m => m.Number > l.Number && m.Number < l.Number + 3))", true)]
    [InlineData("(from l in items from m in items where m.Number > l.Number && m.Number < l.Number + 3 select m.Price).ToList()", true)]
    [InlineData("items.GroupJoin(items, l => l.Mode, m => m.Mode, (l, ms) => new { l, ms }).ToList()", true)]
    [InlineData("items.GroupJoin(items, l => new { l.Maybe, l.Price }, m => new { m.Maybe, m.Price }, (l, ms) => new { l, Ms = ms.ToList() }).ToList()", true)]
    [InlineData("items.GroupJoin(items, l => l.Number, m => m.Order.Priority, (l, ms) => new { l, ms }).ToList()", true)]
    [InlineData("items.Select(l => items.Where(m => m.Order.Priority == l.Number).ToList()).ToList()", true)]
    [InlineData("items.GroupJoin(items.Where(m => m.Order.Priority > 3), l => l.Number, m => m.Order.Priority, (l, ms) => new { l, ms }).ToList()", true)]
    [InlineData("items.Select(l => items.Where(m => m.Order.Priority > 3 && m.Order.Key == l.Big).ToList()).ToList()", true)]
    [InlineData("items.Select(l => items.Where(m => m.Number > l.Number && m.Order.Key == l.Big).ToList()).ToList()", false)]
    [InlineData("items.Select(l => items.Where(m => m.Order.Priority == l.Number).Take(2).ToList()).ToList()", false)]
    [InlineData("items.Select(l => items.Where(m => m.Number / l.Small > 1 && m.Order.Priority == l.Number).ToList()).ToList()", false)]
    [InlineData("items.Select(l => items.Count(m => m.Number < l.Number)).ToList()", false)]
    [InlineData("items.Select(l => items.Count(m => m.Number > 3 && m.Number < 5 && m.Weight < l.Weight)).ToList()", false)]
    [InlineData("items.Select(l => items.Count(m => m.Weight > l.Weight && m.Weight < l.Weight + 1)).ToList()", false)]
    public void Elements_that_another_asks_for_between_bounds_of_its_own_are_looked_up(string query, bool areLookedUp) =>
        Assert.Equal(areLookedUp, Regex.IsMatch(Text(query, known: false), @"s\.ByKey\d+\.Find(InAnyOrder)?\("));

    [Theory]
    [InlineData("items.Count(l => items.Any(m => m.Number > l.Number - 3 && m.Number <= l.Number && m.Order.Priority != l.Small))", true)]
    [InlineData("items.Count(l => items.Where(m => m.Number > l.Number - 3 && m.Number <= l.Number).All(m => m.Order.Priority == l.Small))", true)]
    [InlineData("items.Count(l => items.Where(m => m.Number > l.Number - 3 && m.Number <= l.Number).Skip(2).Any(m => m.Order.Priority == l.Small))", false)]
    [InlineData("items.Select(l => items.First(m => m.Number > l.Number - 3 && m.Number <= l.Number).Price).ToList()", false)]
    public void Who_only_asks_whether_there_is_an_element_takes_any(string query, bool takesAny) =>
        Assert.Equal(takesAny, Text(query, known: false).Contains(".FindInAnyOrder(", StringComparison.Ordinal));

    [Theory]
    [InlineData("items.GroupJoin(items, l => l.Mode, m => m.Mode, (l, ms) => new { l, ms }).ToList()", true)]
    [InlineData("items.GroupJoin(items, l => l.Status, m => m.Status, (l, ms) => ms).ToArray()", true)]
    [InlineData("items.GroupJoin(items, l => l.Mode, m => m.Mode, (l, ms) => ms.Where(m => m.Number > 3).Select(m => m.Price)).ToList()", true)]
    [InlineData("items.GroupJoin(items, l => l.Exact, m => m.Exact, (l, ms) => ms.Select(m => m.Price + l.Exact)).ToList()", false)]
    [InlineData("items.GroupJoin(items, l => l.Mode, m => m.Mode, (l, ms) => ms.ToList()).ToList()", false)]
    [InlineData("items.GroupJoin(items, l => l.Mode, m => m.Mode, (l, ms) => ms.Where(m => m.Price > l.Price).ToList()).ToList()", false)]
    [InlineData("items.GroupJoin(items, l => l.Mode, m => m.Mode, (l, ms) => ms.Sum(m => m.Price)).ToList()", false)]
    public void Sequences_that_depend_on_a_key_alone_are_made_once_for_it(string query, bool areShared) =>
        Assert.Equal(areShared, Text(query, known: false).Contains("SharedResults<", StringComparison.Ordinal));

    [Theory]
    [InlineData("items.GroupJoin(items.Where(m => m.Order.Priority > 3), l => l.IsGift, m => m.Order.Priority > 5, (l, ms) => ms.Select(m => m.Number).LastOrDefault()).ToList()", true)]
    [InlineData("items.GroupJoin(items.Where(m => m.Order.Priority > 3), l => l.IsGift, m => m.Order.Priority > 5, (l, ms) => ms.Select(m => m.Number + l.Number).LastOrDefault()).ToList()", false)]
    [InlineData("items.GroupJoin(items.Where(m => m.Order.Priority > 3), l => l.Number, m => m.Order.Priority, (l, ms) => ms.Select(m => m.Number).LastOrDefault()).ToList()", false)]
    public void A_value_that_depends_on_a_key_of_few_values_is_computed_once_for_each(string query, bool isShared) =>
        Assert.Equal(isShared, Text(query, known: false).Contains("SharedResults<", StringComparison.Ordinal));

    [Fact]
    public void A_sequence_that_depends_on_nothing_is_made_once() =>
        Assert.Matches(@"s\.Known\w+ = result;", Text("items.GroupJoin(items.Where(m => m.Number < 3), l => 1, m => m.Number, (l, ms) => ms).ToList()", known: false));

    [Theory]
    [InlineData("items.Select(l => l.Mode).ToList()", true)]
    [InlineData("items.Select(l => new { l.Mode, Text = l.Note ?? \"none\" }).ToArray()", true)]
    [InlineData("items.Select(l => l.Number).ToList()", false)]
    [InlineData("items.Select(l => l.Mode).First()", false)]
    public void Rows_of_a_result_share_the_strings_of_few_texts(string query, bool areShared) =>
        Assert.Equal(areShared, Text(query, known: false).Contains("SharedTexts ", StringComparison.Ordinal));

    [Fact]
    public void Equal_plans_give_equal_kernels() => Assert.Equal(Text(Revenue, known: false), Text(Revenue, known: false));

    [Fact]
    public void What_is_not_compiled_says_why()
    {
        ScalarExpression version = new ValueVariable(new PlanType(TypeKind.Class, "global::System.Version"), 1, "version");
        Enumerate versions = new(new ParameterRead(new PlanType(TypeKind.Class, "global::System.Version[]"), 0, "versions"), version.Type, 1);
        PlanCase made = new PlanSchema([]).List("versions", "", new Order(versions, PlanSchema.By(version)), version);
        Assert.Equal("ordering by System.Version is not compiled yet", KernelEmitter.TryExplainUnsupported(made.Plan));
    }

    [Fact]
    public void Rows_of_groups_that_a_join_may_miss_are_not_compiled_and_the_reason_is_said()
    {
        // Found by random queries (seed 600073): the generator failed.
        const string Query = "items.GroupBy(l => l.Flag).GroupJoin(items, g => 0, l => 0, (g, ls) => new { A = g, B = ls }).RightJoin(items, x => 0, l => 0, (x, l) => x).ToList()";
        Assert.Equal("the rows of a group are read after a join for which the group may be missing", new CompiledShop("Columnar", [Query], ShopSource.Data).ReasonFor(Query));
    }

    private static string Text(string query, bool known = true) =>
        (known ? KernelsAgreeWithLinq.Shop("Columnar") : new CompiledShop("Columnar", [query], ShopSource.Data)).Kernel(query).SourceText;

    private static string Emitted(string query, string parameters = "") => KernelEmitter.Emit(PlanOptimizer.Optimize(QueryCompilation.ReadQuery(query, parameters).Plan!)).SourceText;

    private static int Count(string text, string part) => text.Split(part).Length - 1;
}
