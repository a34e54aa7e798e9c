using Smc.Memory.Diagnostics;

namespace Smc.Stress.Scheduling;

/// <summary>
/// Runs actors one at a time and decides at every step of the protocol who goes on. A seed gives one schedule, and the same seed gives it
/// again: half of them follow random priorities with a few changes (which finds orderings of few preemptions soon), half are random walks.
/// An actor that waits for another (<see cref="ProtocolStep.Waiting"/>) goes on when somebody else has taken a step.
/// </summary>
internal sealed class ControlledScheduler
{
    private const int PriorityChanges = 4;

    /// <summary>Far more than any play takes: who is not done by then waits for something that will not happen.</summary>
    private const int MostSteps = 20_000;

    /// <summary>Far more than a step takes, also on a busy machine. Counted in single seconds: a process that is stopped for minutes and goes on has lost one.</summary>
    private const int SecondsOfLongestStep = 20;

    [ThreadStatic]
    private static Actor? t_actor;

    private readonly Random _random;
    private readonly List<Actor> _actors = [];
    private readonly Turn _yielded = new();
    private readonly HashSet<int> _changes = [];
    private readonly bool _byPriority;
    private readonly int _stepsPerDrain;
    private readonly int _expectedSteps;
    private ViolationException? _abandoned;

    /// <param name="seed">Determines the schedule.</param>
    /// <param name="expectedSteps">About how many steps the actors take together; changes of priority fall within them.</param>
    public ControlledScheduler(int seed, int expectedSteps)
    {
        Seed = seed;
        _expectedSteps = expectedSteps;
        _random = new Random(seed);
        _byPriority = seed % 2 == 0;
        // Some schedules drain store buffers soon, some keep stores back for long.
        _stepsPerDrain = _random.Next(2) == 0 ? 4 : 64;
        for (int i = 0; i < PriorityChanges; i++) _changes.Add(_random.Next(expectedSteps));
    }

    public int Seed { get; }

    public SimulatedStoreBuffers Buffers { get; } = new();

    /// <summary>Adds an actor.</summary>
    /// <param name="run">What it does; it calls <see cref="Step"/> between its own accesses.</param>
    /// <param name="buffersAnnouncements">True if its announcements pass through a simulated store buffer.</param>
    public void Add(Action run, bool buffersAnnouncements = false) => _actors.Add(new Actor(this, run, _random.Next(), buffersAnnouncements));

    /// <summary>A step of the running actor; nothing on other threads.</summary>
    public static void Step() => t_actor?.Yield(ProtocolStep.OutsideLibrary);

    /// <summary>Runs all actors to their ends, first by the script, and throws what the first one threw.</summary>
    public void Run(IReadOnlyList<Cue> script)
    {
        ProtocolSteps.Hook = static step => t_actor?.Yield(step);
        Buffers.Install(static () => t_actor is { BuffersAnnouncements: true });
        try
        {
            foreach (Actor actor in _actors) actor.Start();
            foreach (Cue cue in script) Follow(cue);
            for (int step = 0; _actors.Exists(static actor => !actor.IsDone); step++)
            {
                if (step == MostSteps)
                {
                    Abandon();
                    break;
                }
                if (_random.Next(_stepsPerDrain) == 0) Buffers.DrainOne(_random);
                LetGo(Choose(step));
            }
        }
        finally
        {
            ProtocolSteps.Hook = null;
            Buffers.Uninstall();
        }
        // Whoever failed by himself comes before those who only waited for him.
        Exception? failure = _actors.Find(actor => actor.Failure is not null && actor.Failure != _abandoned)?.Failure ?? _abandoned;
        if (failure is not null) throw new ViolationException(failure is ViolationException ? failure.Message : failure.ToString());
    }

    /// <summary>Ends the actors that do not end by themselves: they throw at the step where they are.</summary>
    private void Abandon()
    {
        Actor[] stuck = [.. _actors.Where(static actor => !actor.IsDone)];
        string where = string.Join(", ", stuck.Select(static actor => actor.ToString()));
        _abandoned = new ViolationException($"after {MostSteps:N0} steps {where} do not get on");
        foreach (Actor actor in stuck)
        {
            while (!actor.IsDone) LetGo(actor);
        }
    }

    private void Follow(Cue cue)
    {
        Actor actor = _actors[cue.Actor];
        do
        {
            if (actor.IsDone) return;
            LetGo(actor);
            // The one it waits for comes later in the script, or after it.
            if (actor.At == ProtocolStep.Waiting) return;
        }
        while (actor.At != cue.Until);
    }

    private void LetGo(Actor actor)
    {
        actor.Resume();
        for (int second = 0; !_yielded.Wait(TimeSpan.FromSeconds(1)); second++)
        {
            // It waits for an actor that is not let go on, outside of all steps. Nothing that it holds can be given back, so no play can follow in this process.
            if (second == SecondsOfLongestStep) Environment.FailFast($"{actor}, seed {Seed}, does not come to its next step");
        }
        if (actor.At == ProtocolStep.Waiting) actor.HasWaited = true;
        else foreach (Actor other in _actors) other.HasWaited = false;
    }

    private Actor Choose(int step)
    {
        Actor[] ready = [.. _actors.Where(static actor => !actor.IsDone && !actor.HasWaited)];
        if (ready.Length == 0) ready = [.. _actors.Where(static actor => !actor.IsDone)];
        if (!_byPriority) return ready[_random.Next(ready.Length)];
        Actor first = ready.MaxBy(static actor => actor.Priority)!;
        if (_changes.Contains(step)) first.Priority = _random.Next();
        // Who only waits for others must let them go on some time.
        if (step > 4 * _expectedSteps) return ready[_random.Next(ready.Length)];
        return ready.MaxBy(static actor => actor.Priority)!;
    }

    private sealed class Actor(ControlledScheduler scheduler, Action run, int priority, bool buffersAnnouncements)
    {
        private readonly Turn _resumed = new();

        public int Priority { get; set; } = priority;

        public bool BuffersAnnouncements => buffersAnnouncements;

        /// <summary>True if it waits, and nobody else has done anything since it last looked.</summary>
        public bool HasWaited { get; set; }

        public bool IsDone { get; private set; }

        public Exception? Failure { get; private set; }

        public void Start() => ActorThread.Run(Main);

        public void Resume() => _resumed.Give();

        /// <summary>The step that the actor is at; null before the first and after the last.</summary>
        public ProtocolStep? At { get; private set; }

        public void Yield(ProtocolStep step)
        {
            At = step;
            scheduler._yielded.Give();
            _resumed.Wait();
            if (scheduler._abandoned is { } abandoned) throw abandoned;
        }

        public override string ToString() => $"actor {scheduler._actors.IndexOf(this)} at {At}";

        private void Main()
        {
            _resumed.Wait();
            t_actor = this;
            try
            {
                run();
            }
            catch (Exception failure)
            {
                Failure = failure;
            }
            // A part ends with a fence.
            scheduler.Buffers.DrainOwn();
            t_actor = null;
            At = null;
            IsDone = true;
            scheduler._yielded.Give();
        }
    }
}
