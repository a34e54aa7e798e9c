using Microsoft.AspNetCore.Builder;
using Microsoft.Playwright;
using Xunit;

[assembly: AssemblyFixture(typeof(Dashboard.Tests.RunningDashboard))]

namespace Dashboard.Tests;

/// <summary>The dashboard on a free port of this machine, and a headless Chromium where one is installed.</summary>
public sealed class RunningDashboard : IAsyncLifetime
{
    private static readonly string? s_chromium = new[] { "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome" }.FirstOrDefault(File.Exists);

    private readonly WebApplication _app = DashboardApp.Create(["--orders", "20000", "--urls", "http://127.0.0.1:0"]);
    private IPlaywright? _playwright;
    private IBrowser? _browser;
    private IPage? _page;
    private string _whyNot = "Chromium is not installed (apt-get install -y chromium): the page is not tested.";

    public string Address => _app.Urls.Single();

    public async ValueTask InitializeAsync()
    {
        await _app.StartAsync(TestContext.Current.CancellationToken);
        if (s_chromium is null)
            return;
        _playwright = await Playwright.CreateAsync();
        try
        {
            _browser = await _playwright.Chromium.LaunchAsync(new BrowserTypeLaunchOptions
            {
                ExecutablePath = s_chromium,
                Args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
            });
        }
        catch (PlaywrightException failure)
        {
            // A browser that does not start says nothing about the page.
            _whyNot = $"{s_chromium} does not start: {failure.Message}";
        }
    }

    /// <summary>The page in a new window, in place of the one before; skips the test where there is no browser.</summary>
    public async Task<IPage> OpenAsync(ColorScheme scheme = ColorScheme.Light, int width = 1280, int height = 1000)
    {
        Assert.SkipWhen(_browser is null, _whyNot);
        // An open page goes on asking for reports.
        if (_page is not null)
            await _page.CloseAsync();
        IPage page = await _browser!.NewPageAsync(new BrowserNewPageOptions { ColorScheme = scheme, ViewportSize = new ViewportSize { Width = width, Height = height } });
        _page = page;
        page.SetDefaultTimeout(30_000);
        await page.GotoAsync(Address);
        await Assertions.Expect(page.Locator("#customers tbody tr")).ToHaveCountAsync(10, new LocatorAssertionsToHaveCountOptions { Timeout = 30_000 });
        return page;
    }

    public async ValueTask DisposeAsync()
    {
        if (_browser is not null)
            await _browser.DisposeAsync();
        _playwright?.Dispose();
        await _app.DisposeAsync();
    }
}
