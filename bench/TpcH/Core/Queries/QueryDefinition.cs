namespace TpcH;

/// <summary>What is the same about a query for every engine.</summary>
public sealed record QueryDefinition(string Name, string Title, AnswerShape Shape, Type ParametersType, Func<ParameterValues, QueryParameters> ReadParameters);
