using System.Diagnostics;

namespace Smc.Collections;

/// <summary>The place in the user's program that a call came from, for metrics.</summary>
internal static class CallSite
{
    /// <summary>The nearest caller that belongs neither to the platform nor to this library: file and line where symbols are there, else type and method. Walks the stack: microseconds.</summary>
    public static string OfCaller()
    {
        StackTrace trace = new(fNeedFileInfo: false);
        for (int i = 1; i < trace.FrameCount; i++)
        {
            if (DiagnosticMethodInfo.Create(trace.GetFrame(i)!) is not { } method || !IsOfUser(method))
                continue;
            StackFrame frame = new(i, needFileInfo: true);
            return frame.GetFileName() is { } file && frame.GetFileLineNumber() is > 0 and int line ? $"{file}:{line}" : $"{method.DeclaringTypeName}.{method.Name}";
        }

        return "unknown";
    }

    private static bool IsOfUser(DiagnosticMethodInfo method)
    {
        string assembly = method.DeclaringAssemblyName;
        return !assembly.StartsWith("System.", StringComparison.Ordinal)
            && !assembly.StartsWith("Smc.Collections,", StringComparison.Ordinal)
            && !assembly.StartsWith("Smc.QueryCompiler.Runtime,", StringComparison.Ordinal)
            && method.DeclaringTypeName?.StartsWith("Smc.Generated.", StringComparison.Ordinal) != true;
    }
}
