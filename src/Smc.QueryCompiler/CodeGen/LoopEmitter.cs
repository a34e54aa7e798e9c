namespace Smc.QueryCompiler.CodeGen;

/// <summary>Writes a loop over elements that were collected before: a method of its own where nothing around the loop is read, so that it is compiled for itself, and threads can share it; in line otherwise.</summary>
internal sealed class LoopEmitter(KernelScope scope)
{
    /// <summary>Writes a loop over kept elements.</summary>
    /// <param name="elements">The elements.</param>
    /// <param name="index">The name of the loop's variable.</param>
    /// <param name="writer">Where the loop stands.</param>
    /// <param name="site">What is around the loop.</param>
    /// <param name="consumer">What happens to an element.</param>
    public void Write(KeptElements elements, string index, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        if (scope.IsPlain || !site.IsTop)
        {
            Write($"for (int {index} = 0; {index} < {elements.Count}; {index}++)", writer, site, consumer, Declare);
            return;
        }

        string number = scope.Number().ToString(System.Globalization.CultureInfo.InvariantCulture), name = "Consume" + number, first = "first" + number, end = "end" + number;
        int onceCalls = scope.OnceCalls;
        Frame frame = WriteMethod($"{name}(ref State s, int {first}, int {end})", $"for (int {index} = {first}; {index} < {end}; {index}++)", site, consumer, Declare);
        // What runs once in the middle of the loop has memory of its own for one thread only.
        if (consumer.Parts is { } parts && scope.OnceCalls == onceCalls)
        {
            ParallelScanEmitter parallel = new(scope, number);
            parallel.WriteLoop(parts, name, consumer.BeginSerial);
            writer.Line(parallel.Loop($"{elements.Count}, {parts.Bytes}"));
        }
        else
        {
            consumer.BeginSerial(writer);
            writer.Line($"{name}(ref s, 0, {elements.Count});");
        }

        scope.WriteGaveUp(writer, site);
        frame.WriteArrivals(writer, scope);

        Bindings Declare(CodeWriter body) => elements.Declare(body, site.Bindings, index);
    }

    /// <param name="header">The loop's header.</param>
    /// <param name="writer">Where the loop stands.</param>
    /// <param name="site">What is around the loop.</param>
    /// <param name="consumer">What happens to an element.</param>
    /// <param name="declare">Declares the element and says what it binds.</param>
    public void Write(string header, CodeWriter writer, Site site, ElementConsumer consumer, Func<CodeWriter, Bindings> declare)
    {
        if (scope.IsPlain || !site.IsTop)
        {
            using (writer.Open(header))
            {
                Bindings bindings = declare(writer);
                consumer.Element(writer, site.With(bindings));
            }

            return;
        }

        string name = "Consume" + scope.Number();
        Frame frame = WriteMethod($"{name}(ref State s)", header, site, consumer, declare);
        consumer.BeginSerial(writer);
        writer.Line($"{name}(ref s);");
        scope.WriteGaveUp(writer, site);
        frame.WriteArrivals(writer, scope);
    }

    private Frame WriteMethod(string signature, string header, Site site, ElementConsumer consumer, Func<CodeWriter, Bindings> declare)
    {
        Frame frame = new(site.Frame, "return;");
        CodeWriter method = new();
        KernelMethods.Header(method);
        using (method.Open($"private static void {signature}"))
        {
            consumer.BeginLoop(method);
            using (method.Open(header))
            {
                Bindings bindings = declare(method);
                consumer.Element(method, (site with { Frame = frame }).With(bindings));
            }

            frame.WriteEnd(method);
            consumer.EndLoop(method);
        }

        scope.AddMethod(method);
        return frame;
    }
}
