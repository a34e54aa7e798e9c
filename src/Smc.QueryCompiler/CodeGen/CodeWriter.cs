using System.Text;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Writes C# as indented text: a line at a time, blocks opened and closed.</summary>
public sealed class CodeWriter
{
    private const int IndentWidth = 4;

    private readonly StringBuilder _text = new();
    private int _depth;

    /// <summary>Writes one line at the current indentation; an empty one stays empty.</summary>
    public CodeWriter Line(string text = "")
    {
        if (text.Length > 0)
            _text.Append(' ', _depth * IndentWidth).Append(text);
        _text.Append('\n');
        return this;
    }

    /// <summary>Writes text of several lines, each at the current indentation.</summary>
    public CodeWriter Lines(string text)
    {
        foreach (string line in text.Split('\n'))
            Line(line.TrimEnd('\r'));
        return this;
    }

    /// <summary>Writes a header and an opening brace, and indents until <see cref="Close"/> or the end of the <c>using</c>.</summary>
    public BlockScope Open(string header)
    {
        if (header.Length > 0)
            Line(header);
        Line("{");
        _depth++;
        return new BlockScope(this);
    }

    /// <summary>Closes the innermost block; <paramref name="suffix"/> follows the brace (<c>;</c>, <c>);</c>).</summary>
    public CodeWriter Close(string suffix = "")
    {
        _depth--;
        return Line("}" + suffix);
    }

    /// <summary>Indents without braces until the end of the <c>using</c>, for continuation lines and single statements.</summary>
    public IndentScope Indent()
    {
        _depth++;
        return new IndentScope(this);
    }

    public override string ToString() => _text.ToString();

    /// <summary>Closes a block when disposed.</summary>
    public readonly struct BlockScope(CodeWriter writer) : IDisposable
    {
        public void Dispose() => writer.Close();
    }

    /// <summary>Ends an indentation when disposed.</summary>
    public readonly struct IndentScope(CodeWriter writer) : IDisposable
    {
        public void Dispose() => writer._depth--;
    }
}
