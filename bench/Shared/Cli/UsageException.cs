namespace Bench.Shared;

/// <summary>A command line that cannot be obeyed. The message is one line that names what exists instead.</summary>
internal sealed class UsageException(string message) : Exception(message);
