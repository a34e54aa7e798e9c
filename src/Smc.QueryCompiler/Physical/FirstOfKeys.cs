namespace Smc.QueryCompiler.Physical;

/// <summary>Of the elements with one combination of keys the first passes.</summary>
/// <param name="Keys">How combinations that have been are found.</param>
internal sealed record FirstOfKeys(KeySearch Keys) : PhysicalOperator
{
    public override bool KeepsOnlyValues => false;

    public override IEnumerable<string> Describe() => ["those that have been " + Keys.Describe()];
}
