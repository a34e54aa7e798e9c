return new TpcH.Cli.CommandLine(TpcH.Reporting.Terminal.OfProcess).Invoke(args);
