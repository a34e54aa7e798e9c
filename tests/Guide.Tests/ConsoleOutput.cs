using System.Globalization;
using System.Reflection;

namespace Guide.Tests;

/// <summary>Runs a program in this process, in a folder of its own, and keeps what it prints. One at a time: the console is of the process.</summary>
internal static class ConsoleOutput
{
    private static readonly Lock s_console = new();

    public static string Of(Assembly program, params string[] arguments)
    {
        lock (s_console)
        {
            TextWriter console = Console.Out;
            string folder = Environment.CurrentDirectory;
            DirectoryInfo own = Directory.CreateTempSubdirectory("program");
            using StringWriter output = new(CultureInfo.InvariantCulture);
            output.NewLine = "\n";
            Console.SetOut(output);
            Environment.CurrentDirectory = own.FullName;
            try
            {
                MethodInfo entry = program.EntryPoint!;
                entry.Invoke(null, BindingFlags.DoNotWrapExceptions, null, entry.GetParameters().Length == 0 ? null : [arguments], CultureInfo.InvariantCulture);
            }
            finally
            {
                Console.SetOut(console);
                Environment.CurrentDirectory = folder;
                own.Delete(recursive: true);
            }

            return output.ToString();
        }
    }
}
