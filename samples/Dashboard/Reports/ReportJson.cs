using System.Text.Json;
using System.Text.Json.Serialization;

namespace Dashboard.Reports;

/// <summary>How reports become JSON. Generated, so that the dashboard can be published with NativeAOT.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(ShopReport))]
[JsonSerializable(typeof(FoundOrder))]
internal sealed partial class ReportJson : JsonSerializerContext;
