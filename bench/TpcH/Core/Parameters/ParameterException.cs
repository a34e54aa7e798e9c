namespace TpcH;

/// <summary>A parameter file, or a value in it, that cannot be used. The message is one line and says where.</summary>
public sealed class ParameterException(string message) : Exception(message);
