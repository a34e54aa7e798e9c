using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>A loop over elements that the query keeps (groups, sorted rows, rows of a list) which several threads go through.</summary>
/// <typeparam name="TState">The state of the kernel's execution.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IParallelLoop<TState> : IParallelParts<TState>
    where TState : struct, IKernelState<TState>, allows ref struct
{
    /// <summary>Goes through the elements from one number up to another.</summary>
    static abstract void Run(ref TState state, int first, int end);
}
