return new Star.Cli.CommandLine(Console.Out, Console.Error).Invoke(args);
