using System.Globalization;
using System.Text.RegularExpressions;
using Deque.AxeCore.Commons;
using Deque.AxeCore.Playwright;
using Microsoft.Playwright;
using Xunit;
using static Microsoft.Playwright.Assertions;

namespace Dashboard.Tests;

/// <summary>The page, as a user meets it.</summary>
public sealed partial class PageTests(RunningDashboard dashboard)
{
    private static readonly LocatorAssertionsToHaveTextOptions s_patient = new() { Timeout = 30_000 };

    [Fact]
    public async Task Orders_arrive_at_the_rate_that_the_keyboard_sets()
    {
        IPage page = await dashboard.OpenAsync();

        await page.FocusAsync("#rate");
        await page.Keyboard.PressAsync("Home");
        await Expect(page.Locator("#arriving")).ToHaveTextAsync("0", s_patient);
        await page.Keyboard.PressAsync("ArrowRight");

        await Expect(page.Locator("#rate-value")).ToHaveTextAsync("500");
        await Expect(page.Locator("#arriving")).ToHaveTextAsync(AboveZero(), s_patient);
    }

    [Fact]
    public async Task An_order_is_found_by_its_key()
    {
        IPage page = await dashboard.OpenAsync();

        // The newest order: it leaves last.
        string newest = await page.EvaluateAsync<string>("async () => { const report = await (await fetch('api/report')).json(); return String(report.orders + report.arrived); }");
        await page.FillAsync("#key", newest);
        await page.Keyboard.PressAsync("Enter");
        await Expect(page.Locator("#found p")).ToContainTextAsync($"Order {newest} of Customer");

        await page.FillAsync("#key", "99999999");
        await page.Keyboard.PressAsync("Enter");
        await Expect(page.Locator("#found")).ToContainTextAsync("There is no order with this key");
    }

    [Fact]
    public async Task The_list_is_switched_on_and_off_and_has_times_beside_ours()
    {
        IPage page = await dashboard.OpenAsync();

        await page.FocusAsync("#twin");
        await page.Keyboard.PressAsync("Space");
        await Expect(page.Locator("#times tbody tr").First).ToContainTextAsync("×", new LocatorAssertionsToContainTextOptions { Timeout = 30_000 });

        await page.Keyboard.PressAsync("Space");
        await Expect(page.Locator("#times tbody tr td").Last).ToHaveTextAsync("off", s_patient);
    }

    [Fact]
    public async Task A_moment_is_frozen_beside_now_and_let_go()
    {
        IPage page = await dashboard.OpenAsync();

        await page.FocusAsync("#freeze");
        await page.Keyboard.PressAsync("Enter");
        await Expect(page.Locator("#frozen tbody tr")).ToHaveCountAsync(5, new LocatorAssertionsToHaveCountOptions { Timeout = 30_000 });
        string orders = await page.InnerTextAsync("#frozen tbody tr:nth-child(3) td:nth-child(2)"), lines = await page.InnerTextAsync("#frozen tbody tr:nth-child(4) td:nth-child(2)");
        Assert.Equal(orders, lines);
        // Others come and go meanwhile.
        await Expect(page.Locator("#frozen tbody tr:nth-child(3) td:nth-child(3)")).Not.ToHaveTextAsync(orders, new LocatorAssertionsToHaveTextOptions { Timeout = 30_000 });
        Assert.Equal(orders, await page.InnerTextAsync("#frozen tbody tr:nth-child(3) td:nth-child(2)"));

        await page.GetByRole(AriaRole.Button, new PageGetByRoleOptions { Name = "Let it go" }).ClickAsync();
        await Expect(page.Locator("#frozen")).ToBeHiddenAsync(new LocatorAssertionsToBeHiddenOptions { Timeout = 30_000 });
    }

    [Fact]
    public async Task A_full_garbage_collection_says_how_long_it_took()
    {
        IPage page = await dashboard.OpenAsync();

        await page.GetByRole(AriaRole.Button, new PageGetByRoleOptions { Name = "Run a full garbage collection" }).ClickAsync();

        await Expect(page.Locator("#status")).ToContainTextAsync("The program stood still for");
    }

    [Fact]
    public async Task A_nation_has_a_chart_of_its_own()
    {
        IPage page = await dashboard.OpenAsync();

        await page.SelectOptionAsync("#nation", "Japan");

        await Expect(page.Locator("#revenue-chart svg")).ToHaveAttributeAsync("aria-label", JapansRevenue());
        await Expect(page.Locator("#revenue-chart svg rect")).ToHaveCountAsync(12);
    }

    [Theory]
    [InlineData(ColorScheme.Light, 1280)]
    [InlineData(ColorScheme.Dark, 1280)]
    [InlineData(ColorScheme.Light, 360)]
    public async Task The_page_is_accessible_and_as_wide_as_the_window(ColorScheme scheme, int width)
    {
        IPage page = await dashboard.OpenAsync(scheme, width);
        await page.ClickAsync("summary");
        await page.CheckAsync("#twin");
        await page.ClickAsync("#freeze");
        await Expect(page.Locator("#frozen")).ToBeVisibleAsync(new LocatorAssertionsToBeVisibleOptions { Timeout = 30_000 });
        await Expect(page.Locator("#times tbody tr").First).ToContainTextAsync("×", new LocatorAssertionsToContainTextOptions { Timeout = 30_000 });
        await SaveScreenshot(page, $"dashboard-{scheme}-{width}.png");

        AxeResult result = await page.RunAxe();
        string[] violations = [.. result.Violations.SelectMany(v => v.Nodes.Select(node => $"{v.Id}: {node.Html}"))];
        Assert.True(violations.Length == 0, string.Join("\n", violations));
        Assert.Equal(width, await page.EvaluateAsync<int>("document.documentElement.scrollWidth"));
        await page.UncheckAsync("#twin");
        await page.ClickAsync("#freeze");
    }

    /// <summary>SMC_SCREENSHOTS names a folder for pictures to look at.</summary>
    private static async Task SaveScreenshot(IPage page, string name)
    {
        if (Environment.GetEnvironmentVariable("SMC_SCREENSHOTS") is not { Length: > 0 } folder)
            return;
        await page.WaitForTimeoutAsync(8_000);
        await page.ScreenshotAsync(new PageScreenshotOptions { Path = Path.Combine(folder, name.ToLower(CultureInfo.InvariantCulture)), FullPage = true });
    }

    [GeneratedRegex("^[1-9]", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex AboveZero();

    [GeneratedRegex("^Revenue of Japan", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex JapansRevenue();
}
