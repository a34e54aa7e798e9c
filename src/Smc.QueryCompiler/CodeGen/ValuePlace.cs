namespace Smc.QueryCompiler.CodeGen;

/// <summary>What generated code calls a value variable.</summary>
/// <param name="Text">The variable, field or constant.</param>
/// <param name="Form">How it holds the value.</param>
/// <param name="Scale">Of a scaled decimal the digits after the point.</param>
internal sealed record ValuePlace(string Text, ValueForm Form, int Scale = 0);

/// <summary>Forms in which generated code holds a value.</summary>
internal enum ValueForm
{
    /// <summary>The C# value.</summary>
    Plain,

    /// <summary>A string as a word.</summary>
    Word,

    /// <summary>A row as its handle.</summary>
    Handle,

    /// <summary>A decimal as a 64-bit integer, its units.</summary>
    Scaled,
}
