using Smc.Collections.Kernels;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>What a kernel that was compiled with its project reads from a recorded query.</summary>
public sealed class CapturedValuesTests : IDisposable
{
    private readonly Collection<Employee> _employees = new();
    private readonly int _least = 5;

    public void Dispose() => _employees.Dispose();

    [Fact]
    public void A_variable_that_several_parts_capture_is_read()
    {
        int limit = 3;
        Query<Employee> query = _employees.Where(e => e.Number < limit).Where(e => e.Number != limit || e.Salary > limit);

        Assert.True(CapturedValues.Of(query).TryVariable("limit", out int value));
        Assert.Equal(3, value);
    }

    [Fact]
    public void A_field_is_read_through_this_and_through_a_closure()
    {
        int limit = 3;
        Query<Employee> query = _employees.Where(e => e.Number < _least).Where(e => e.Number != limit || e.Number > _least);

        Assert.True(CapturedValues.Of(query).TryVariable("this._least", out int value));
        Assert.Equal(5, value);
    }

    [Fact]
    public void Two_variables_of_one_name_are_not_read()
    {
        Query<Employee> query = _employees;
        for (int i = 0; i < 2; i++)
        {
            int limit = i;
            query = query.Where(e => e.Number != limit);
        }

        Assert.False(CapturedValues.Of(query).TryVariable("limit", out int _));
    }

    [Fact]
    public void A_marked_call_is_distinguished_from_others_of_its_name()
    {
        Query<Employee> query = CapturedValues.Mark(Elsewhere().Where(e => e.Number > 1), "@7").Take(3);

        Assert.True(CapturedValues.Of(query).Has("Where@7 Take "));
        Assert.False(CapturedValues.Of(query).Has("Where Take "));
        Assert.False(CapturedValues.Of(query).Has("Where@8 Take "));
        Assert.False(CapturedValues.Of(query).Has("Where@70 Take "));
    }

    private Query<Employee> Elsewhere() => _employees;
}
