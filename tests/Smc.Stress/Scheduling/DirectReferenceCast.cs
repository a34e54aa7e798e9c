namespace Smc.Stress.Scheduling;

/// <summary>Who is on the stage of a <see cref="DirectReferencePlay"/> beside compactor, copier and reader; as the switches of models/directpointers.pml.</summary>
internal sealed record DirectReferenceCast
{
    /// <summary>Somebody who removes the row that is referred to and adds others.</summary>
    public bool Remover { get; init; }

    /// <summary>Somebody who sets the reference to null.</summary>
    public bool Eraser { get; init; }

    public override string ToString() => "compactor, copier, reader" + (Remover ? ", remover" : "") + (Eraser ? ", eraser" : "");
}
