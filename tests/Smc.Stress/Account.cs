using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.Memory;
using Smc.Memory.Indirection;

namespace Smc.Stress;

/// <summary>The row of scenarios that work as a user does, with properties and queries.</summary>
[Tabular]
public readonly partial struct Account
{
    /// <summary>Never used twice, never changed.</summary>
    public partial long Number { get; set; }

    /// <summary>0 for accounts that stay; others come and go.</summary>
    public partial int Branch { get; set; }

    /// <summary>A multiple of the number, whoever wrote it last.</summary>
    public partial long Balance { get; set; }

    /// <summary>The number in words that take a chunk.</summary>
    public partial string Owner { get; set; }

    /// <summary>Opens an account whose fields agree.</summary>
    internal static Account Open(Collection<Account> accounts, long number, int branch) =>
        accounts.Add(number: number, branch: branch, balance: 2 * number, owner: OwnerOf(number));

    internal static string OwnerOf(long number) => $"owner of account {number}";

    /// <summary>The entry that the handle points to, for messages.</summary>
    internal string DescribeEntry()
    {
        ulong handle = RowHandle.ToBits(this);
        EntryRef entry = EntryRef.Of(handle);
        return $"incarnation {Handle.Incarnation(handle):x}, entry {entry.Number:x} has {entry.Word:x}";
    }

    /// <summary>Throws unless all that the handle reads is that account's. False if it is gone.</summary>
    internal bool Verify(long number)
    {
        try
        {
            long found = Number;
            ViolationException.Require(found == number, $"the handle of account {number} reads account {found}");
            long balance = Balance;
            ViolationException.Require(balance % number == 0 && balance != 0, $"account {number} has the balance {balance}");
            string owner = Owner;
            ViolationException.Require(string.Equals(owner, OwnerOf(number), StringComparison.Ordinal), $"account {number} belongs to '{owner}'");
            return true;
        }
        catch (RowRemovedException)
        {
            return false;
        }
    }

    /// <summary>Writes the account's fields anew. False if it is gone.</summary>
    internal bool Rewrite(long number, Random random)
    {
        try
        {
            Balance = number * random.Next(1, 1000);
            if (random.Next(4) == 0) Owner = OwnerOf(number);
            return true;
        }
        catch (RowRemovedException)
        {
            return false;
        }
    }
}
