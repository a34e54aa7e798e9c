using Dashboard;

await using WebApplication app = DashboardApp.Create(args);
await app.RunAsync();
