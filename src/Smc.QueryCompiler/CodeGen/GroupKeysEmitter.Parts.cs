namespace Smc.QueryCompiler.CodeGen;

/// <content>Groups of parts of a scan, and how they come together.</content>
internal sealed partial class GroupKeysEmitter
{
    /// <summary>Whether the threads that share the scan may divide the indexes of groups.</summary>
    private bool HasWindows => _isScan && (IsOneInteger || _path?.OneColumn is not null);

    private string Windows => $"s.Windows{_suffix}";

    /// <summary>Writes what precedes a scan on one thread.</summary>
    public void BeginSerial(CodeWriter writer)
    {
        if (HasWindows)
            writer.Line(IsOneInteger ? $"{Integer}.ReachAll();" : $"{_groups}.ReachAll({Windows});");
    }

    /// <summary>Writes what precedes a block of a part; null for nothing.</summary>
    public Action<CodeWriter>? BeginBlock => HasWindows ? writer => writer.Line(IsOneInteger ? $"{Integer}.Reach(number);" : $"{_groups}.Reach({Windows}, number);") : null;

    /// <summary>Text that is true, after it has taken the places of groups over, where groups of a part may stay in theirs; null where there is nothing of that kind.</summary>
    public string? TakesIndexes => !HasWindows ? null
        : IsOneInteger ? $"{Integer}.TryTake(ref {_groups}, {ScanParts.Of(Integer)}, {ScanParts.Of(_groups)}, ref {_region})" : $"{_groups}.TryTakeIndexes({ScanParts.Of(_groups)})";

    /// <summary>Text that is true, after it has put the group <c>number</c> of a part whose places were taken behind the others.</summary>
    public string Takes => IsOneInteger
        ? $"{Integer}.Takes(ref {_groups}, {ScanParts.Of(Integer)}, {ScanParts.Of(_groups)}, number, ref {_region})" : $"{_groups}.Takes({ScanParts.Of(_groups)}, number)";

    /// <summary>Writes the statements after which a part of a scan has no groups.</summary>
    public void BeginPart(CodeWriter writer)
    {
        WriteNothing(writer, ScanParts.First);
        if (IsOneInteger && HasContiguousDomain)
        {
            using (writer.Open($"if ({HasIndexes})"))
                WriteIndexes(writer);
        }
        else if (HasCombinations)
        {
            using (writer.Open($"if ({IsDirect})"))
                WriteMaps(writer, $"{Numbers}.Size");
        }
    }

    /// <summary>Text of the bytes that a part begins with.</summary>
    public string PartBytes => IsOneInteger ? $"{Integer}.PartBytes + {_groups}.IndexedBytes" : HasCombinations ? $"{Numbers}.Size * sizeof(uint)" : _path is not null ? $"{_groups}.IndexedBytes" : "0";

    /// <summary>Whether the keys of a part of a scan are those of the whole: numbers of values are not.</summary>
    public bool CanMerge => !_forms.Any(f => f.IsNumbered);

    /// <summary>Declares a local for the group with the keys of a group of a part of a scan, which is added if it is new.</summary>
    public void FindPart(CodeWriter writer, string part, string group) => FindWords(writer, Enumerable.Range(0, Words).Select(word => KeyForm.Read(part, word)), group);
}
