using System.Collections.Concurrent;

namespace Smc.Stress.Scheduling;

/// <summary>A thread that plays one part after another; starting one for every part takes longer than the parts.</summary>
internal sealed class ActorThread
{
    private static readonly ConcurrentBag<ActorThread> s_idle = [];
    private readonly Turn _called = new();
    private Action _part = static () => { };

    private ActorThread() => new Thread(Play) { IsBackground = true }.Start();

    /// <summary>Runs a part on a thread that has nothing to do.</summary>
    public static void Run(Action part)
    {
        if (!s_idle.TryTake(out ActorThread? thread)) thread = new ActorThread();
        thread._part = part;
        thread._called.Give();
    }

    private void Play()
    {
        while (true)
        {
            _called.Wait();
            _part();
            s_idle.Add(this);
        }
    }
}
