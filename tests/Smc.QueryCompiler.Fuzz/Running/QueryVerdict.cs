using Smc.QueryCompiler.Fuzz.Queries;

namespace Smc.QueryCompiler.Fuzz.Running;

/// <summary>What became of a query.</summary>
internal enum Verdict
{
    /// <summary>It has a kernel, which gave LINQ's answers.</summary>
    Agrees,

    /// <summary>It stays LINQ to Objects, and the analyzer says why.</summary>
    FallsBack,

    /// <summary>It has a kernel, which gave another answer than LINQ.</summary>
    Differs,

    /// <summary>On several threads its kernel gave another answer than on one.</summary>
    DiffersOnThreads,

    /// <summary>The generator made text that does not compile, failed on the query, or left the call alone without a diagnostic.</summary>
    IsBroken,

    /// <summary>The kernel did not come back.</summary>
    Hangs,

    /// <summary>The library counted a fault of its own in the kernel, and LINQ to Objects answered.</summary>
    Faults,

    /// <summary>While rows changed, its kernel gave something that no moment explains.</summary>
    Changes,

    /// <summary>While rows changed, its process ended.</summary>
    Crashes,

    /// <summary>The harness made text that is not C#.</summary>
    IsNotCSharp,
}

/// <summary>The verdict on one query.</summary>
/// <param name="Case">The query.</param>
/// <param name="Verdict">What became of it.</param>
/// <param name="Detail">Why it falls back or is broken.</param>
internal sealed record QueryVerdict(RandomQueryCase Case, Verdict Verdict, string Detail = "")
{
    /// <summary>The data over which the answers differ.</summary>
    public Schema.Dataset? Data { get; init; }

    public Answer? Expected { get; init; }

    public Answer? Actual { get; init; }

    /// <summary>Over some data LINQ threw for an element that the kernel, which asks cheap conditions first and computes only what is used, did not come to.</summary>
    public bool HidesException { get; init; }

    /// <summary>Over some data the kernel itself gave the answer, be it an exception.</summary>
    public bool HasAnswered { get; init; }

    /// <summary>Over some data the kernel raised, and LINQ, asked again, gave an answer.</summary>
    public bool WasRepeated { get; init; }

    public bool IsFailure => Verdict is Verdict.Differs or Verdict.DiffersOnThreads or Verdict.IsBroken or Verdict.Hangs or Verdict.Faults or Verdict.Changes or Verdict.Crashes;

    /// <summary>What kind of failure this is: enough of one kind need not be shrunk to know it.</summary>
    public string FailureKind => (Verdict, Expected?.IsException, Actual?.IsException) switch
    {
        (Verdict.Differs, true, true) => "throws another exception than LINQ",
        (Verdict.Differs, true, _) => "does not throw where LINQ does",
        (Verdict.Differs, _, true) => "throws where LINQ does not",
        (Verdict.Differs, _, _) => "gives another answer",
        (Verdict.DiffersOnThreads, _, _) => "gives another answer on several threads",
        (Verdict.Hangs, _, _) => "does not come back",
        (Verdict.Faults, _, _) => "its kernel is at fault, and LINQ to Objects answered",
        (Verdict.Crashes, _, _) => "ends the process while rows change",
        (Verdict.Changes, _, _) => "while rows change: " + Detail.Split(':')[0],
        _ => Detail.Split(':') is [var what, var error, ..] && what == "the kernel does not compile" ? what + ":" + error : Detail,
    };
}
