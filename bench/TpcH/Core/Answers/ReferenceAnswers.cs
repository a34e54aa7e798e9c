namespace TpcH;

/// <summary>The answers to the standard parameters over dbgen's data at the scale factors 0.01, 0.1 and 1, embedded in the program.</summary>
public static class ReferenceAnswers
{
    /// <summary>Null where there is no reference answer for the scale factor.</summary>
    public static Answer? Find(string scaleFactor, QueryDefinition query)
    {
        using Stream? stream = typeof(ReferenceAnswers).Assembly.GetManifestResourceStream($"answers/sf{scaleFactor}/{query.Name}.csv");
        if (stream is null)
            return null;
        using var reader = new StreamReader(stream);
        return AnswerCsv.Read(query.Shape, reader);
    }
}
