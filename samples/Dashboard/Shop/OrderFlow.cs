using System.Diagnostics;
using Dashboard.Twin;

namespace Dashboard.Shop;

/// <summary>Lets orders arrive and leave, some times a second.</summary>
public sealed class OrderFlow(LiveShop shop, ListTwin twin) : BackgroundService
{
    private static readonly TimeSpan s_beat = TimeSpan.FromMilliseconds(20);

    private readonly Lock _lock = new();
    private long _arrived;
    private volatile int _rate = 1_000;

    /// <summary>Orders that arrive in a second; as many leave.</summary>
    public int Rate
    {
        get => _rate;
        set => _rate = value;
    }

    /// <summary>Orders that have arrived since the start.</summary>
    public long Arrived => Volatile.Read(ref _arrived);

    /// <summary>Keeps the same data in lists of objects, too, or gives those up.</summary>
    public void SwitchTwin(bool isOn)
    {
        // Nothing comes or goes while the twin copies the shop.
        lock (_lock)
            twin.Switch(isOn, shop);
    }

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using PeriodicTimer timer = new(s_beat);
        long before = Stopwatch.GetTimestamp();
        double due = 0;
        List<Line> lines = [];
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            // What a slow beat missed is not made up for beyond a second.
            double seconds = Math.Min(Stopwatch.GetElapsedTime(before).TotalSeconds, 1);
            before = Stopwatch.GetTimestamp();
            due += Rate * seconds;
            int orders = (int)due;
            due -= orders;
            lock (_lock)
            {
                for (int i = 0; i < orders; i++)
                {
                    Order order = shop.Add(lines);
                    if (twin.IsOn)
                        twin.Add(order.ToData(), lines.Select(line => line.ToData()));
                    if (shop.Orders.Count <= shop.Size)
                        continue;
                    shop.RemoveOldest();
                    twin.RemoveOldest();
                }
            }

            Volatile.Write(ref _arrived, _arrived + orders);
        }
    }
}
