using System.Reflection;
using System.Runtime.Loader;

namespace Smc.QueryCompiler.Compilation;

/// <summary>A kernel that can be called. Its code is unloaded after nobody refers to this object any more and its last run has ended.</summary>
internal sealed class LoadedKernel
{
    private readonly KernelContext _context;
    private readonly MethodInvoker _run;

    private LoadedKernel(KernelContext context, MethodInfo run)
    {
        _context = context;
        _run = MethodInvoker.Create(run);
        ResultType = run.ReturnType;
    }

    ~LoadedKernel() => _context.Unload();

    /// <summary>What it returns; <c>object</c> where the type of the result has no name.</summary>
    public Type ResultType { get; }

    public static LoadedKernel Load(Stream image, string className, IEnumerable<Assembly> references)
    {
        KernelContext context = new(className, references);
        MethodInfo run = context.LoadFromStream(image).GetType(className, throwOnError: true)!
            .GetMethod("Run", BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public)!;
        return new LoadedKernel(context, run);
    }

    public object? Run(object?[] arguments)
    {
        object? result = _run.Invoke(obj: null, arguments.AsSpan());
        GC.KeepAlive(this);
        return result;
    }

    private sealed class KernelContext(string name, IEnumerable<Assembly> references) : AssemblyLoadContext(name, isCollectible: true)
    {
        private readonly Dictionary<string, Assembly> _references = references.GroupBy(a => a.FullName!).ToDictionary(same => same.Key, same => same.First());

        // The very assemblies of the query's types, wherever they were loaded from.
        protected override Assembly? Load(AssemblyName assemblyName) => _references.GetValueOrDefault(assemblyName.FullName);
    }
}
