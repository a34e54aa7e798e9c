using System.Diagnostics.Metrics;
using Smc.Collections.Kernels;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>What is done about an exception that a kernel raised.</summary>
public sealed class KernelFailureTests
{
    // The listener is of the whole process, and other tests run at the same time: an exception of a type that only this test raises is counted.
    private sealed class UnknownException : Exception;

    private sealed class InvalidTestException : InvalidOperationException;

    [Fact]
    public void An_exception_that_the_query_can_raise_is_a_repeat_and_no_fault() =>
        Assert.Equal(["smc.query.repeats"], Counted<InvalidTestException>(() => Assert.True(KernelFailure.IsLeftToQuery(new InvalidTestException(), Raised.Null | Raised.Invalid, throwsFaults: true))));

    [Fact]
    public void An_exception_that_the_query_cannot_raise_is_counted_as_a_fault_and_left_to_the_query() =>
        Assert.Equal(["smc.query.faults", "smc.query.repeats"], Counted<UnknownException>(() => Assert.True(KernelFailure.IsLeftToQuery(new UnknownException(), Raised.Null | Raised.Invalid, throwsFaults: false))));

    [Fact]
    public void A_fault_is_thrown_where_faults_are_errors() =>
        Assert.Equal(["smc.query.faults"], Counted<UnknownException>(() => Assert.False(KernelFailure.IsLeftToQuery(new UnknownException(), Raised.Null, throwsFaults: true))));

    [Theory]
    [InlineData(Raised.Null, typeof(NullReferenceException), false)]
    [InlineData(Raised.Arithmetic, typeof(OverflowException), false)]
    [InlineData(Raised.Arithmetic, typeof(DivideByZeroException), false)]
    [InlineData(Raised.Argument, typeof(ArgumentOutOfRangeException), false)]
    [InlineData(Raised.Anything, typeof(IndexOutOfRangeException), false)]
    [InlineData(Raised.Null, typeof(RowRemovedException), false)]
    [InlineData(Raised.Arithmetic, typeof(ObjectDisposedException), false)]
    [InlineData(Raised.Arithmetic, typeof(NullReferenceException), true)]
    [InlineData(Raised.Null, typeof(OverflowException), true)]
    [InlineData(Raised.Null | Raised.Arithmetic | Raised.Invalid | Raised.Argument, typeof(IndexOutOfRangeException), true)]
    [InlineData(Raised.Null | Raised.Arithmetic | Raised.Invalid | Raised.Argument, typeof(InvalidCastException), true)]
    public void A_fault_is_an_exception_of_a_kind_that_the_query_cannot_raise(Raised kinds, Type exception, bool isFault)
    {
        Exception raised = (Exception)System.Runtime.CompilerServices.RuntimeHelpers.GetUninitializedObject(exception);

        Assert.Equal(!isFault, KernelFailure.IsLeftToQuery(raised, kinds, throwsFaults: true));
    }

    [Fact]
    public void A_cancellation_and_a_limit_of_memory_are_the_kernels_own()
    {
        Assert.False(KernelFailure.IsLeftToQuery(new OperationCanceledException(), Raised.Anything, throwsFaults: false));
        Assert.False(KernelFailure.IsLeftToQuery(new Smc.Memory.OffHeapMemoryException(""), Raised.Anything, throwsFaults: false));
    }

    /// <summary>The counters that an action increases for exceptions of a type.</summary>
    private static List<string> Counted<TException>(Action action)
    {
        List<string> counted = [];
        using MeterListener listener = new();
        listener.InstrumentPublished = (instrument, l) =>
        {
            if (instrument.Meter.Name == "SelfManaged" && instrument.Name.StartsWith("smc.query.", StringComparison.Ordinal))
                l.EnableMeasurementEvents(instrument);
        };
        int thread = Environment.CurrentManagedThreadId;
        listener.SetMeasurementEventCallback<long>((instrument, _, tags, _) =>
        {
            if (Environment.CurrentManagedThreadId == thread && tags.Length > 0 && Equals(tags[0].Value, typeof(TException).FullName))
                counted.Add(instrument.Name);
        });
        listener.Start();
        action();
        return counted;
    }
}
