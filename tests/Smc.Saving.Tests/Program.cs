using Smc.Saving.Tests;
using Xunit.MicrosoftTestingPlatform;
using Xunit.Runner.InProc.SystemConsole;

// As the entry point that xunit generates, but for the child process of KillTests.
return args is [Victim.Verb, .. var rest] ? Victim.Run(rest)
    : args.Any(static argument => argument is "--server" or "--internal-msbuild-node")
        ? await TestPlatformTestFramework.RunAsync(args, Smc.Saving.Tests.SelfRegisteredExtensions.AddSelfRegisteredExtensions)
        : await ConsoleRunner.Run(args);
