using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Writes what happens to the elements at the end of a pipeline.</summary>
internal abstract class SinkEmitter(KernelScope scope, Pipeline pipeline)
{
    protected KernelScope Scope { get; } = scope;

    protected Pipeline Pipeline { get; } = pipeline;

    protected string Suffix { get; } = pipeline.Index.ToString(System.Globalization.CultureInfo.InvariantCulture);

    /// <summary>Declares state, and writes what precedes the pipeline.</summary>
    /// <param name="context">Text of the scanned memory context; null when the source is a list.</param>
    public abstract void Prepare(string? context);

    /// <summary>Writes what precedes a loop over elements.</summary>
    public virtual void BeginLoop(CodeWriter writer)
    {
    }

    /// <summary>Writes what happens to one element.</summary>
    public abstract void Element(CodeWriter writer, Cursor cursor);

    /// <summary>Writes what follows a loop over elements.</summary>
    public virtual void EndLoop(CodeWriter writer)
    {
    }

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

    /// <summary>
    /// Whether what the sink keeps from one block to the next is good in another critical section too: copied values and handles are; locations
    /// and string words are not. The scan may then renew its section between blocks.
    /// </summary>
    public virtual bool KeepsOnlyValues => false;

    /// <summary>Writes what follows the pipeline.</summary>
    public virtual void Finish(CodeWriter writer)
    {
    }

    /// <summary>How to name the address of the element.</summary>
    protected string ElementAddress => Pipeline.Source switch
    {
        ScanSource or OrderedSource { Scan: not null } => $"{RowCursor.Block} | {RowCursor.Slot}",
        _ => GroupCursor.Group,
    };
}
