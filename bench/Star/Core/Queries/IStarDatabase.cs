namespace Star;

/// <summary>The tables in one object model, with the queries compiled over it.</summary>
public interface IStarDatabase : IDisposable
{
    PreparedQuery Prepare(QueryDefinition query, QueryForm form);
}
