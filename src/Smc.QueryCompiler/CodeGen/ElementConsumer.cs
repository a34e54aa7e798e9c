using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Writes what happens to the elements that an operator passes up.</summary>
internal abstract class ElementConsumer
{
    /// <summary>Writes what happens to one element. Called more than once where elements come from several places.</summary>
    public abstract void Element(CodeWriter writer, Site site);

    /// <summary>Writes what precedes a loop that is a method of its own: state is taken into locals.</summary>
    public virtual void BeginLoop(CodeWriter writer)
    {
    }

    /// <summary>Writes what follows such a loop.</summary>
    public virtual void EndLoop(CodeWriter writer)
    {
    }

    /// <summary>Writes, before a loop over selected rows, what asks for memory that the loop will look up for each.</summary>
    /// <param name="writer">The method of the loop.</param>
    /// <param name="row">Where the row at hand is in such a loop.</param>
    public virtual void AskAhead(CodeWriter writer, Site row)
    {
    }

    /// <summary>Finds, before a loop over selected rows of which it takes every one, what it looks up for each.</summary>
    /// <param name="writer">The method of the loop.</param>
    /// <param name="row">Where the row at hand is in such a loop.</param>
    /// <returns>The site with what was found.</returns>
    public virtual Site FindAhead(CodeWriter writer, Site row) => row;

    /// <summary>Declares, before a loop over selected rows, locals for references that the loop only needs to know apart, and asks for what tells them.</summary>
    /// <param name="writer">The method of the loop.</param>
    /// <param name="row">Where the row at hand is in such a loop.</param>
    /// <returns>The expressions that the loop reads by these locals.</returns>
    public virtual IEnumerable<ScalarExpression> DeclareReferences(CodeWriter writer, Site row) => [];

    /// <summary>Writes what precedes the batches of a block.</summary>
    public virtual void BeginBlock(CodeWriter writer)
    {
    }

    /// <summary>Writes what follows the batches of a block.</summary>
    public virtual void EndBlock(CodeWriter writer)
    {
    }

    /// <summary>A call that may take a batch as bitmap and columns, true if it did; null when nothing can.</summary>
    public virtual string? VectorBatch => null;

    /// <summary>Writes what precedes a scan or a loop that stays on one thread.</summary>
    public virtual void BeginSerial(CodeWriter writer)
    {
    }

    /// <summary>
    /// Whether what is kept from one block to the next is good in another critical section too: copied values and handles are; locations
    /// and string words are not. The scan may then renew its section between blocks.
    /// </summary>
    public virtual bool KeepsOnlyValues => false;

    /// <summary>How several threads give it the elements of parts of a scan; null where one element has to come after the other.</summary>
    public virtual ScanParts? Parts => null;

    /// <summary>The rows that it takes of a scan, where an index may find them; null where it takes others, too.</summary>
    public virtual FirstSeek? First => null;
}

/// <summary>A step on the way of elements: does something with each and hands it on or not.</summary>
/// <param name="next">What gets the elements.</param>
/// <param name="step">Writes the step.</param>
/// <param name="remembers">Whether the step keeps something from one element to the next.</param>
/// <param name="ask">Writes what asks for memory that the step looks up; null for nothing.</param>
internal sealed class StepConsumer(ElementConsumer next, Action<CodeWriter, Site, ElementConsumer> step, bool remembers = false, Action<CodeWriter, Site>? ask = null) : ElementConsumer
{
    public override ScanParts? Parts => remembers ? null : next.Parts;

    public override void Element(CodeWriter writer, Site site) => step(writer, site, next);

    public override void BeginLoop(CodeWriter writer) => next.BeginLoop(writer);

    public override void EndLoop(CodeWriter writer) => next.EndLoop(writer);

    public override void AskAhead(CodeWriter writer, Site row)
    {
        ask?.Invoke(writer, row);
        next.AskAhead(writer, row);
    }

    public override IEnumerable<ScalarExpression> DeclareReferences(CodeWriter writer, Site row) => next.DeclareReferences(writer, row);

    public override void BeginBlock(CodeWriter writer) => next.BeginBlock(writer);

    public override void EndBlock(CodeWriter writer) => next.EndBlock(writer);

    public override void BeginSerial(CodeWriter writer) => next.BeginSerial(writer);
}

/// <summary>The end of the way: does something with each element.</summary>
/// <param name="end">Writes that.</param>
/// <param name="parts">How several threads do it, if they can.</param>
/// <param name="beginSerial">Writes what precedes it on one thread.</param>
/// <param name="vectorBatch">A call that may take a whole batch, if there is one.</param>
/// <param name="first">The rows that it takes of a scan, if not all.</param>
/// <param name="ask">Writes what asks for memory that it looks up; null for nothing.</param>
internal sealed class EndConsumer(Action<CodeWriter, Site> end, ScanParts? parts = null, Action<CodeWriter>? beginSerial = null, string? vectorBatch = null, FirstSeek? first = null, Action<CodeWriter, Site>? ask = null) : ElementConsumer
{
    public override void AskAhead(CodeWriter writer, Site row) => ask?.Invoke(writer, row);

    public override FirstSeek? First => first;

    public override string? VectorBatch => vectorBatch;

    public override void BeginSerial(CodeWriter writer) => beginSerial?.Invoke(writer);

    public override ScanParts? Parts => parts;

    public override void Element(CodeWriter writer, Site site) => end(writer, site);
}
