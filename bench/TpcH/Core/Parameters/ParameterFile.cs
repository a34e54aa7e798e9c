using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace TpcH;

/// <summary>
/// Substitution parameters by query: the standard ones, a file of the same form (<c>queries.qNN.params</c>) laid over them, or random ones.
/// What a file derives from its parameters is not read: it follows from them.
/// </summary>
public sealed class ParameterFile
{
    // Brand#12 and the like stay as they are: the text goes into no HTML page.
    private static readonly JsonSerializerOptions Format = new() { WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly string _origin;
    private readonly Dictionary<string, Dictionary<string, string>> _queries;

    private ParameterFile(string origin, Dictionary<string, Dictionary<string, string>> queries) => (_origin, _queries) = (origin, queries);

    /// <summary>The validation values, which the reference answers use.</summary>
    public static ParameterFile Standard { get; } = ReadStandard();

    /// <exception cref="ParameterException">The file cannot be read, is no JSON of this form, or names a query or parameter that does not exist.</exception>
    public static ParameterFile Read(string path)
    {
        try
        {
            return Standard.Overlay(path, Parse(path, File.ReadAllText(path)));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new ParameterException($"{path}: {error.Message}");
        }
    }

    /// <summary>Values that the specification allows, chosen at random. The same seed gives the same ones.</summary>
    /// <param name="scaleFactor">Of the data: query 11 looks for a smaller share of more data.</param>
    public static ParameterFile Random(int seed, double scaleFactor) =>
        new(string.Create(CultureInfo.InvariantCulture, $"random parameters {seed}"), RandomParameters.Choose(seed, scaleFactor));

    /// <summary>Writes the parameters of all queries as JSON, in the form in which they are read.</summary>
    public void Write(TextWriter writer) =>
        writer.WriteLine(JsonSerializer.Serialize(
            new { queries = _queries.ToDictionary(query => query.Key, query => new { @params = query.Value }) }, Format));

    /// <summary>Where the values come from.</summary>
    public string Origin => _origin;

    public ParameterValues For(string query) => new(query, _origin, _queries[query]);

    private static ParameterFile ReadStandard()
    {
        using Stream stream = typeof(ParameterFile).Assembly.GetManifestResourceStream("standard-parameters.json")
            ?? throw new InvalidOperationException("standard-parameters.json is not embedded.");
        using var reader = new StreamReader(stream);
        const string Origin = "standard parameters";
        return new ParameterFile(Origin, Parse(Origin, reader.ReadToEnd()));
    }

    private ParameterFile Overlay(string origin, Dictionary<string, Dictionary<string, string>> given)
    {
        var merged = _queries.ToDictionary(query => query.Key, query => new Dictionary<string, string>(query.Value));
        foreach ((string query, Dictionary<string, string> values) in given)
        {
            if (!merged.TryGetValue(query, out Dictionary<string, string>? target))
                throw new ParameterException($"{origin}: unknown query '{query}'; there are {string.Join(", ", merged.Keys.Order())}");
            foreach ((string name, string value) in values)
            {
                if (!target.ContainsKey(name))
                    throw new ParameterException($"{origin}: {query} has no parameter '{name}'; there are {string.Join(", ", target.Keys)}");
                target[name] = value;
            }
        }
        return new ParameterFile(origin, merged);
    }

    private static Dictionary<string, Dictionary<string, string>> Parse(string origin, string json)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(json);
            return document.RootElement.GetProperty("queries").EnumerateObject().ToDictionary(query => query.Name, ParametersOf);
        }
        catch (JsonException error)
        {
            throw new ParameterException($"{origin}: {error.Message.ReplaceLineEndings(" ")}");
        }
        catch (Exception error) when (error is KeyNotFoundException or InvalidOperationException or ArgumentException)
        {
            throw new ParameterException($"{origin}: not of the form {{ \"queries\": {{ \"q01\": {{ \"params\": {{ … }} }} }} }}");
        }
    }

    private static Dictionary<string, string> ParametersOf(JsonProperty query) =>
        query.Value.TryGetProperty("params", out JsonElement parameters)
            ? parameters.EnumerateObject().ToDictionary(parameter => parameter.Name, parameter => TextOf(parameter.Value))
            : [];

    // Numbers keep the digits they were written with: 0.060 and "0.060" are the same parameter.
    private static string TextOf(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => value.GetString()!,
        JsonValueKind.Number => value.GetRawText(),
        _ => throw new InvalidOperationException(),
    };
}
