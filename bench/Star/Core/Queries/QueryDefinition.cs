namespace Star;

/// <summary>What is the same about a query for every engine.</summary>
/// <param name="Name">Its flight and its number in it, as 2.3.</param>
public sealed record QueryDefinition(string Name, AnswerShape Shape);
