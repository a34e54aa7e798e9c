namespace Smc.QueryCompiler.Plan;

/// <summary>Parts of qualified names.</summary>
internal static class MethodNames
{
    /// <summary>The name of a method after that of its type, type arguments included: <c>Map&lt;A.B&gt;</c> of <c>C&lt;D.E&gt;.Map&lt;A.B&gt;</c>.</summary>
    public static string Last(string method)
    {
        int depth = 0;
        for (int i = method.Length - 1; i >= 0; i--)
        {
            switch (method[i])
            {
                case '>':
                    depth++;
                    break;
                case '<':
                    depth--;
                    break;
                case '.' when depth == 0:
                    return method.Substring(i + 1);
            }
        }

        return method;
    }

    /// <summary>Whether a method, as in <see cref="Call.Method"/>, is a static one of <see cref="string"/>.</summary>
    public static bool IsOfString(string method) => method.StartsWith("string.", StringComparison.Ordinal) || method.StartsWith("global::System.String.", StringComparison.Ordinal);
}
