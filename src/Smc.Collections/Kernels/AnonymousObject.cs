using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>Objects of types that the compiler makes for <c>new { … }</c>.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class AnonymousObject
{
    /// <summary>Whether a type is one of these.</summary>
    public static bool Is(Type type) =>
        type.IsClass && type.Name.Contains("AnonymousType", StringComparison.Ordinal) && type.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false);
}
