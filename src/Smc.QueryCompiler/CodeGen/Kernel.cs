using Smc.QueryCompiler.Physical;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>The source text of a compiled query.</summary>
/// <param name="ClassName">The static class in namespace <c>Smc.Generated</c>; equal kernels have equal names.</param>
/// <param name="SourceText">A whole file.</param>
/// <param name="ClassText">The class by itself, fully qualified, for nesting in a user's type.</param>
/// <param name="MethodSignature">The signature of its entry point <c>Run</c>.</param>
/// <param name="Physical">How it goes about the operators of its plan.</param>
public sealed record Kernel(string ClassName, string SourceText, string ClassText, string MethodSignature, PhysicalPlan Physical);
