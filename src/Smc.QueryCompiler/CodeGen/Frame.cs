namespace Smc.QueryCompiler.CodeGen;

/// <summary>A method that is being written, as far as loops are left early: by a jump within the method, through <c>s.Exit</c> across methods.</summary>
/// <param name="parent">The method that calls it in a loop; null for the outermost.</param>
/// <param name="giveUp">The statement that leaves the method when the fast variant gives up.</param>
internal sealed class Frame(Frame? parent, string giveUp)
{
    private readonly HashSet<Exit> _crossing = [];
    private Exit? _end;

    public string GiveUp => giveUp;

    /// <summary>The end of the method's loop, before what it computed is stored.</summary>
    public Exit End(KernelScope scope) => _end ??= new Exit(this, scope.Number());

    /// <summary>Writes the label of the end, if something jumps there.</summary>
    public void WriteEnd(CodeWriter writer) => _end?.WriteLabel(writer);

    /// <summary>Writes how one of the exits is taken from here.</summary>
    public void Leave(CodeWriter writer, Exit exit, KernelScope scope)
    {
        if (exit.Frame == this)
        {
            exit.WriteJump(writer);
            return;
        }

        _crossing.Add(exit);
        writer.Line($"s.Exit = {exit.Number};");
        End(scope).WriteJump(writer);
    }

    /// <summary>Whether exits are taken in it that lie outside of it.</summary>
    public bool HasArrivals => _crossing.Count > 0;

    /// <summary>Writes, after the loop that calls this method, where the exits that were taken in it lead.</summary>
    public void WriteArrivals(CodeWriter writer, KernelScope scope)
    {
        foreach (Exit exit in _crossing)
        {
            using (writer.Open($"if (s.Exit == {exit.Number})"))
            {
                if (exit.Frame == parent)
                    writer.Line("s.Exit = 0;");
                parent!.Leave(writer, exit, scope);
            }
        }
    }
}

/// <summary>A place behind a loop to which something in the loop may jump.</summary>
/// <param name="frame">The method that has the place.</param>
/// <param name="number">Its number in the kernel.</param>
internal sealed class Exit(Frame frame, int number)
{
    private bool _isUsed;

    public Frame Frame => frame;

    public int Number => number;

    public void WriteJump(CodeWriter writer)
    {
        _isUsed = true;
        writer.Line($"goto exit{number};");
    }

    public void WriteLabel(CodeWriter writer)
    {
        if (_isUsed)
            writer.Line($"exit{number}:;");
    }
}
