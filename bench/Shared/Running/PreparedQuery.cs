namespace Bench.Shared;

/// <summary>
/// A query with its parameters on one engine, to be executed many times. Execution keeps only the result, so that time and
/// allocation around it are the engine's own; the answer is read from the result afterwards.
/// </summary>
public abstract class PreparedQuery
{
    public abstract void Execute();

    /// <summary>The answer of the latest execution.</summary>
    public abstract Answer ReadAnswer();

    public static PreparedQuery OfRows<TRow>(AnswerShape<TRow> shape, Func<IReadOnlyList<TRow>> execute) =>
        new PreparedDelegate<IReadOnlyList<TRow>>(execute, shape.FromRows);

    public static PreparedQuery OfValue<TValue>(AnswerShape<TValue> shape, Func<TValue> execute) =>
        new PreparedDelegate<TValue>(execute, value => shape.FromRows([value]));

    private sealed class PreparedDelegate<TResult>(Func<TResult> execute, Func<TResult, Answer> readAnswer) : PreparedQuery
    {
        private TResult _result = default!;
        private bool _isExecuted;

        public override void Execute()
        {
            _result = execute();
            _isExecuted = true;
        }

        public override Answer ReadAnswer() =>
            readAnswer(_isExecuted ? _result : throw new InvalidOperationException("The query was not executed."));
    }
}
