using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Smc.Collections;

namespace Smc.QueryCompiler.Compilation;

/// <summary>The assemblies that a kernel refers to: those of the types in its plan and what they refer to, as the compiler wants them.</summary>
internal sealed class AssemblyReferences
{
    private static readonly ConditionalWeakTable<Assembly, PublicMetadata> s_own = [];
    private static readonly ConditionalWeakTable<Assembly, MetadataReference> s_others = [];

    private static readonly Assembly[] s_ours = [typeof(Collection<>).Assembly, typeof(Memory.MemoryManager).Assembly];

    private static readonly Assembly[] s_always =
        [typeof(object).Assembly, typeof(Enumerable).Assembly, typeof(HashSet<>).Assembly, Assembly.Load("System.Runtime"), Assembly.Load("System.Collections"), .. s_ours];

    private AssemblyReferences(IReadOnlyList<Assembly> own, IReadOnlyList<Assembly> others)
    {
        Own = own;
        Metadata = [.. own.Select(assembly => s_own.GetValue(assembly, PublicMetadata.Of).Reference), .. others.Select(assembly => s_others.GetValue(assembly, Read))];
        Assemblies = [.. own, .. others];
    }

    /// <summary>The assemblies of the query's types, as far as they are the user's: a kernel may use what is internal or private there.</summary>
    public IReadOnlyList<Assembly> Own { get; }

    public IReadOnlyList<Assembly> Assemblies { get; }

    public IReadOnlyList<MetadataReference> Metadata { get; }

    public static AssemblyReferences Of(IEnumerable<Type> types)
    {
        Assembly[] named = [.. types.SelectMany(AssembliesOf).Distinct()];
        Assembly[] own = [.. named.Where(assembly => !IsPlatform(assembly))];
        HashSet<Assembly> others = [.. s_always, .. named.Except(own)];
        Dictionary<string, Assembly> loaded = AppDomain.CurrentDomain.GetAssemblies().Where(a => !a.IsDynamic)
            .GroupBy(a => a.GetName().Name!).ToDictionary(same => same.Key, same => same.First());
        foreach (AssemblyName name in own.Concat(s_ours).SelectMany(assembly => assembly.GetReferencedAssemblies()))
        {
            if (loaded.TryGetValue(name.Name!, out Assembly? assembly) || TryLoad(name, out assembly))
                others.Add(assembly);
        }

        return new AssemblyReferences(own, [.. others.Where(a => !own.Any(o => o.FullName == a.FullName)).DistinctBy(a => a.FullName)]);
    }

    private static bool IsPlatform(Assembly assembly) => s_always.Contains(assembly) || assembly.GetName().Name!.StartsWith("System.", StringComparison.Ordinal);

    private static IEnumerable<Assembly> AssembliesOf(Type type)
    {
        for (Type? part = type; part is not null; part = part.BaseType)
            yield return part.Assembly;
        foreach (Assembly assembly in type.GetGenericArguments().Concat(type.HasElementType ? [type.GetElementType()!] : []).SelectMany(AssembliesOf))
            yield return assembly;
    }

    // A reference that is not there is one that no code needed yet; if the kernel does, the compiler says so.
    private static bool TryLoad(AssemblyName name, [NotNullWhen(true)] out Assembly? assembly)
    {
        try
        {
            assembly = Assembly.Load(name);
            return true;
        }
        catch (Exception exception) when (exception is FileNotFoundException or FileLoadException or BadImageFormatException)
        {
            assembly = null;
            return false;
        }
    }

    private static unsafe MetadataReference Read(Assembly assembly)
    {
        if (!System.Reflection.Metadata.AssemblyExtensions.TryGetRawMetadata(assembly, out byte* metadata, out int length))
            throw new KernelCompilationException($"the assembly {assembly.GetName().Name} has no metadata");
        return AssemblyMetadata.Create(ModuleMetadata.CreateFromMetadata((nint)metadata, length)).GetReference(display: assembly.FullName);
    }
}
