// Epochs are one domain for the process: a test that parks a reader would hold up the others.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
