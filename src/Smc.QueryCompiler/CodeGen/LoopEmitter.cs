namespace Smc.QueryCompiler.CodeGen;

/// <summary>Writes a loop over elements that were collected before: a method of its own where nothing around the loop is read, so that it is compiled for itself; in line otherwise.</summary>
internal sealed class LoopEmitter(KernelScope scope)
{
    /// <summary>Writes a loop over kept elements.</summary>
    /// <param name="elements">The elements.</param>
    /// <param name="index">The name of the loop's variable.</param>
    /// <param name="writer">Where the loop stands.</param>
    /// <param name="site">What is around the loop.</param>
    /// <param name="consumer">What happens to an element.</param>
    public void Write(KeptElements elements, string index, CodeWriter writer, Site site, ElementConsumer consumer) =>
        Write($"for (int {index} = 0; {index} < {elements.Count}; {index}++)", writer, site, consumer, body => elements.Declare(body, site.Bindings, index));

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
        Frame frame = new(site.Frame, "return;");
        CodeWriter method = new();
        KernelMethods.Header(method);
        using (method.Open($"private static void {name}(ref State s)"))
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
        writer.Line($"{name}(ref s);");
        scope.WriteGaveUp(writer, site);
        frame.WriteArrivals(writer, scope);
    }
}
