using Smc.Saving.Tests;
using Xunit.Runner.InProc.SystemConsole;

// As the runner's own entry point, but for the child process of KillTests.
return args is [Victim.Verb, .. var rest] ? Victim.Run(rest) : await ConsoleRunner.Run(args);
