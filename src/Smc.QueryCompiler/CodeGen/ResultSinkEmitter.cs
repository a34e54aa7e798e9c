using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Collects where the elements of the result are; they are built at the end, when their number is known, so that the result is all that is allocated.</summary>
internal sealed class ResultSinkEmitter(KernelScope scope, Pipeline pipeline, ResultSink sink) : SinkEmitter(scope, pipeline)
{
    private readonly Terminal _terminal = scope.Plan.Terminal;

    public override bool KeepsOnlyValues => _terminal == Terminal.Any;

    public override void Prepare(string? context)
    {
        if (_terminal == Terminal.Any)
            Scope.Field("bool", "HasAny");
        else
            Scope.Field(KernelApi.RegionList + "<ulong>", "Found");
    }

    public override void Element(CodeWriter writer, Cursor cursor)
    {
        if (_terminal == Terminal.Any)
        {
            writer.Line("s.HasAny = true;").Line("s.IsDone = true;").Line("break;");
            return;
        }

        writer.Line($"s.Found.Add(ref s.Region, {ElementAddress});");
        if (_terminal is Terminal.First or Terminal.FirstOrDefault or Terminal.Single or Terminal.SingleOrDefault)
        {
            int wanted = _terminal is Terminal.First or Terminal.FirstOrDefault ? 1 : 2;
            using (writer.Open($"if (s.Found.Count == {wanted})"))
                writer.Line("s.IsDone = true;").Line("break;");
        }
    }

    /// <summary>Writes the statements that build the result into <c>result</c>.</summary>
    public void WriteResult(CodeWriter writer, Cursor cursor)
    {
        string value = sink.Value is null ? "" : new ScalarEmitter(Scope, cursor).Value(sink.Value);
        switch (_terminal)
        {
            case Terminal.Any:
                writer.Line("result = s.HasAny;");
                break;
            case Terminal.Scalar:
                writer.Line($"result = {value};");
                break;
            case Terminal.List or Terminal.Array:
                WriteRows(writer, value, sink.Value!.Type);
                break;
            default:
                WriteOne(writer, value);
                break;
        }
    }

    private void WriteRows(CodeWriter writer, string value, PlanType type)
    {
        bool isList = _terminal == Terminal.List;
        if (type.Kind == TypeKind.Anonymous)
        {
            DeclareElement(writer, "0UL");
            writer.Line($"var rows = {KernelApi.ResultRows}.{(isList ? "List" : "Array")}(s.Found.Count, s.Found.Count < 0 ? {value} : null);");
        }
        else
        {
            writer.Line(isList
                ? $"global::System.Collections.Generic.List<{type.Text}> rows = new(s.Found.Count);"
                : $"{type.Text}[] rows = {KernelApi.ResultRows}.Array<{type.Text}>(s.Found.Count);");
            DeclareElement(writer, "0UL");
        }

        using (writer.Open("for (int i = 0; i < s.Found.Count; i++)"))
        {
            AssignElement(writer, "s.Found[i]");
            writer.Line(isList ? $"rows.Add({value});" : $"rows[i] = {value};");
        }

        writer.Line("result = rows;");
    }

    private void WriteOne(CodeWriter writer, string value)
    {
        bool isSingle = _terminal is Terminal.Single or Terminal.SingleOrDefault;
        if (isSingle)
            writer.Line("if (s.Found.Count > 1)").Line($"    throw {KernelApi.AggregateResults}.MoreThanOneElement();");
        using (writer.Open("if (s.Found.Count == 0)"))
        {
            writer.Line(_terminal is Terminal.First or Terminal.Single
                ? $"throw {KernelApi.AggregateResults}.NoElements();"
                : "result = default!;");
        }

        using (writer.Open("else"))
        {
            DeclareElement(writer, "s.Found[0]");
            writer.Line($"result = {value};");
        }
    }

    private void DeclareElement(CodeWriter writer, string address)
    {
        if (ElementAddress == GroupCursor.Group)
            writer.Line($"ulong {GroupCursor.Group} = {address};");
        else
            RowCursor.Declare(writer, address);
    }

    private void AssignElement(CodeWriter writer, string address)
    {
        if (ElementAddress == GroupCursor.Group)
            writer.Line($"{GroupCursor.Group} = {address};");
        else
            writer.Line($"{RowCursor.Block} = {address} & ~0xFFFFUL;").Line($"{RowCursor.Slot} = {address} & 0xFFFFUL;");
    }
}
