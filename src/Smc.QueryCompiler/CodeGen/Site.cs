namespace Smc.QueryCompiler.CodeGen;

/// <summary>Where in a kernel code is being written.</summary>
/// <param name="Frame">The method.</param>
/// <param name="Region">The region of what is kept here: that of the query, or of a nested part, which is emptied each time the part runs.</param>
/// <param name="Bindings">What expressions may read.</param>
/// <param name="IsNested">Whether the code runs once per element of something around it.</param>
/// <param name="IsRepeated">Whether it is a part of the query that begins anew for each element of another.</param>
/// <param name="IsOnce">Whether it is such a part that runs once, whatever is around it: in the middle of something else (<see cref="OnceEmitter"/>).</param>
internal sealed record Site(Frame Frame, string Region, Bindings Bindings, bool IsNested, bool IsRepeated = false, bool IsOnce = false)
{
    /// <summary>In a method that gets one row of a block and reads nothing else.</summary>
    public static Site OfRow(int variable) => new(new Frame(null, "return;"), "s.Region", Bindings.None.WithRow(variable, SlotPlace.Current), IsNested: true);

    /// <summary>What text sets where a number does not fit 64 bits; null where the fast variant gives up then.</summary>
    public FitFlag? Unfit { get; init; }

    /// <summary>What makes strings of stored texts here, where rows of a result follow one another; null where each text is a string of its own.</summary>
    public SharedTextsField? Texts { get; init; }

    /// <summary>Text of how often the code runs, where that is known before it runs.</summary>
    public string? Times { get; init; }

    /// <summary>Whether what stands here reads all elements of its source, whatever they are.</summary>
    public bool ReadsAll { get; init; }

    /// <summary>Whether it does not matter in which order elements come to what stands here.</summary>
    public bool IsInAnyOrder { get; init; }

    /// <summary>Whether loops may be methods of their own and take blocks at a time: nothing around them is read.</summary>
    public bool IsTop => !IsNested;

    public Site With(Bindings bindings) => this with { Bindings = bindings, IsNested = true, Times = null, ReadsAll = false, IsInAnyOrder = false };
}
