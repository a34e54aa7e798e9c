using Star.Engines;

namespace Star.Running;

/// <summary>
/// One query on all contenders. All answers are compared with the first contender's before anything is timed. Then all execute in turns,
/// so that what else the machine does slows all of them, and their last answers are compared once more.
/// </summary>
internal sealed class QueryRace(QueryDefinition query, int repeat)
{
    private readonly List<Entrant> _entrants = [];

    public IReadOnlyList<Measurement> Run(IReadOnlyList<Contender> contenders)
    {
        Answer? expected = null;
        foreach (Contender contender in contenders)
        {
            var entrant = new Entrant(query, contender);
            entrant.Check(expected);
            expected ??= entrant.Answer;
            _entrants.Add(entrant);
        }
        for (int turn = 0; turn < repeat; turn++)
        {
            foreach (Entrant entrant in _entrants)
                entrant.Time();
        }
        return [.. _entrants.Select(entrant => entrant.Finish())];
    }

    private sealed class Entrant(QueryDefinition query, Contender contender)
    {
        private PreparedQuery? _prepared;
        private string? _problem;
        private double? _minimumMs;
        private long _allocatedBytes;

        /// <summary>Null when there is none that others could be compared with.</summary>
        public Answer? Answer { get; private set; }

        public void Check(Answer? expected) => Guard(() =>
        {
            using var fallbacks = new Fallbacks();
            _prepared = contender.Prepare(query);
            _prepared.Execute();
            Answer answer = _prepared.ReadAnswer();
            _problem = contender.IsCompiled && fallbacks.Count > 0
                ? "ran as LINQ to Objects"
                : expected is null ? null : AnswerChecker.FirstDifference(expected, answer);
            Answer = answer;
        });

        public void Time() => Guard(() =>
        {
            var execution = Execution.Of(_prepared!);
            _minimumMs = Math.Min(_minimumMs ?? double.MaxValue, execution.Milliseconds);
            _allocatedBytes = execution.AllocatedBytes;
        });

        public Measurement Finish()
        {
            // Once more: an engine may go wrong only when it is warm.
            Guard(() =>
            {
                if (AnswerChecker.FirstDifference(Answer!, _prepared!.ReadAnswer()) is { } changed)
                    _problem = $"another answer when run again: {changed}";
            });
            return new Measurement(query, contender, _problem, _problem is null ? _minimumMs : null, _allocatedBytes);
        }

        // What has a problem is not asked again.
        private void Guard(Action action)
        {
            if (_problem is not null)
                return;
            try
            {
                action();
            }
            catch (Exception error)
            {
                _problem = $"{error.GetType().Name}: {error.Message.ReplaceLineEndings(" ")}";
            }
        }
    }
}
