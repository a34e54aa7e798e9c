namespace Smc.QueryCompiler.Physical;

/// <summary>A part of the query that begins anew for each element of another and reads nothing of it runs once, when it is first asked for; its elements are kept.</summary>
internal sealed record KeptOnce : PhysicalOperator
{
    public override bool KeepsOnlyValues => false;

    public override IEnumerable<string> Describe() => ["runs once, when it is first asked for, and is kept"];
}
