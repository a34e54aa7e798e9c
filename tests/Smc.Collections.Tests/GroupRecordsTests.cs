using Smc.Collections.Kernels;
using Xunit;

namespace Smc.Collections.Tests;

public class GroupRecordsTests
{
    private const ulong Handle = (5_000_000UL << TargetRows.DenseIdShift) | 17;

    [Theory]
    [InlineData(0UL, Handle, false)]
    [InlineData(Handle, Handle, false)]
    [InlineData(Handle, Handle + 1, true)]
    [InlineData(Handle, Handle - 1, true)]
    [InlineData(Handle, Handle ^ 0xFFFFF, true)]
    [InlineData(ulong.MaxValue, Handle, true)]
    [InlineData(ulong.MaxValue, 0UL, true)]
    public void A_place_holds_another_handle_or_none_or_the_same(ulong known, ulong handle, bool isOther) => Assert.Equal(isOther, GroupRecords.IsOtherHandle(known, handle));
}
