using Dashboard.Reports;
using Dashboard.Shop;
using Dashboard.Twin;

namespace Dashboard;

/// <summary>The web application: a page, what it reads and what it controls.</summary>
public static class DashboardApp
{
    /// <summary>Creates the application. <c>--orders N</c> sets the number of orders in the shop (200,000).</summary>
    public static WebApplication Create(string[] args)
    {
        // The page lies beside the program, wherever the program was started.
        WebApplicationBuilder builder = WebApplication.CreateBuilder(new WebApplicationOptions { Args = args, ContentRootPath = AppContext.BaseDirectory });
        builder.Logging.SetMinimumLevel(LogLevel.Warning);
        builder.Services.ConfigureHttpJsonOptions(json => json.SerializerOptions.TypeInfoResolverChain.Insert(0, ReportJson.Default));
        builder.Services.AddSingleton(new LiveShop(builder.Configuration.GetValue("orders", 200_000)));
        builder.Services.AddSingleton<FrozenMoment>();
        builder.Services.AddSingleton<ListTwin>();
        builder.Services.AddSingleton<Reporter>();
        builder.Services.AddSingleton<OrderFlow>();
        builder.Services.AddHostedService(services => services.GetRequiredService<OrderFlow>());

        WebApplication app = builder.Build();
        app.UseDefaultFiles();
        app.UseStaticFiles();
        app.MapGet("/api/report", (Reporter reporter) => reporter.Report());
        app.MapGet("/api/orders/{key:long}", (long key, Reporter reporter) => reporter.Find(key) is { } order ? Results.Ok(order) : Results.NotFound());
        app.MapPut("/api/rate/{rate:int:range(0,20000)}", (int rate, OrderFlow flow) => { flow.Rate = rate; });
        app.MapPut("/api/twin/{isOn:bool}", (bool isOn, OrderFlow flow) => flow.SwitchTwin(isOn));
        app.MapPut("/api/frozen/{isOn:bool}", (bool isOn, FrozenMoment frozen) => frozen.Switch(isOn));
        app.MapPost("/api/collect", (Reporter reporter) => reporter.Collect());
        return app;
    }
}
