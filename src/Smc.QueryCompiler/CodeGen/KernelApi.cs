namespace Smc.QueryCompiler.CodeGen;

/// <summary>Every run-time name that kernels use. The generator references no project of ours; a test resolves these names against the real assemblies.</summary>
public static class KernelApi
{
    private const string Kernels = "global::Smc.Collections.Kernels.";
    private const string Memory = "global::Smc.Memory.";

    public const string Collection = "global::Smc.Collections.Collection";

    public const string CollectionAccess = Kernels + "CollectionAccess";
    public const string SnapshotScope = Kernels + "SnapshotScope";
    public const string BlockScanner = Kernels + "BlockScanner";
    public const string RowAccess = Kernels + "RowAccess";
    public const string RowHandle = Kernels + "RowHandle";

    public const string KernelMemory = Kernels + "KernelMemory";
    public const string ColumnValue = Kernels + "ColumnValue";
    public const string ColumnFilter = Kernels + "ColumnFilter";
    public const string ColumnPair = Kernels + "ColumnPair";
    public const string ColumnPairFilter = Kernels + "ColumnPairFilter";
    public const string ReferencedRows = Kernels + "ReferencedRows";
    public const string ScanBatch = Kernels + "ScanBatch";
    public const string TextFilter = Kernels + "TextFilter";
    public const string TextSet = Kernels + "TextSet";
    public const string TextPattern = Kernels + "TextPattern";
    public const string TextPart = Kernels + "TextPart";
    public const string TextOrder = Kernels + "TextOrder";
    public const string ListedTexts = Kernels + "ListedTexts";
    public const string ListedNumbers = Kernels + "ListedNumbers";
    public const string RowBitmap = Kernels + "RowBitmap";
    public const string BlockRange = Kernels + "BlockRange";
    public const string BlockNumbers = Kernels + "BlockNumbers";
    public const string OtherConditions = Kernels + "OtherConditions";
    public const string ValueRange = Kernels + "ValueRange";
    public const string ZoneSpan = Kernels + "ZoneSpan";
    public const string TargetRows = Kernels + "TargetRows";
    public const string EndPairs = Kernels + "EndPairs";
    public const string IPairTest = Kernels + "IPairTest";

    public const string Magnitude = Kernels + "Magnitude";
    public const string ScaledTotal = Kernels + "ScaledTotal";
    public const string DecimalSum = Kernels + "DecimalSum";
    public const string ScaledArithmetic = Kernels + "ScaledArithmetic";
    public const string AggregateResults = Kernels + "AggregateResults";
    public const string ExtremeRank = Kernels + "ExtremeRank";

    public const string GroupRecords = Kernels + "GroupRecords";
    public const string IndexWindows = Kernels + "IndexWindows";
    public const string KnownPlaces = Kernels + "KnownPlaces";
    public const string IntegerKeys = Kernels + "IntegerKeys";
    public const string GroupNumbers = Kernels + "GroupNumbers";
    public const string GroupHashTable = Kernels + "GroupHashTable";
    public const string DistinctCounts = Kernels + "DistinctCounts";
    public const string DistinctSet = Kernels + "DistinctSet";
    public const string KeyDomain = Kernels + "KeyDomain";
    public const string KeyIndexes = Kernels + "KeyIndexes";
    public const string KeyWords = Kernels + "KeyWords";
    public const string LaneSums = Kernels + "LaneSums";
    public const string UnitsRange = Kernels + "UnitsRange";
    public const string WideTotals = Kernels + "WideTotals";

    public const string ChainedRows = Kernels + "ChainedRows";
    public const string IChainedRow = Kernels + "IChainedRow";

    public const string IJoinedRow = Kernels + "IJoinedRow";
    public const string JoinTable = Kernels + "JoinTable";
    public const string KeySpan = Kernels + "KeySpan";
    public const string LeftRows = Kernels + "LeftRows";
    public const string PartnerIndex = Kernels + "PartnerIndex";
    public const string KeyFilter = Kernels + "KeyFilter";
    public const string FilterOrder = Kernels + "FilterOrder";
    public const string ObjectList = Kernels + "ObjectList";
    public const string ValueNumbers = Kernels + "ValueNumbers";
    public const string ComparedText = Plan.ComparedText.CSharp;
    public const string ComparedTexts = Kernels + "ComparedTexts";
    public const string TextScratch = Kernels + "TextScratch";

    public const string ParallelScan = Kernels + "ParallelScan";
    public const string IKernelState = Kernels + "IKernelState";
    public const string IParallelScan = Kernels + "IParallelScan";
    public const string BatchGroups = Kernels + "BatchGroups";
    public const string IGroupFinder = Kernels + "IGroupFinder";
    public const string IParallelLoop = Kernels + "IParallelLoop";

    public const string RegionList = Kernels + "RegionList";
    public const string ISortRow = Kernels + "ISortRow";
    public const string StableSort = Kernels + "StableSort";
    public const string ElementsByKey = Kernels + "ElementsByKey";
    public const string FoundElements = Kernels + "FoundElements";
    public const string SharedTexts = Kernels + "SharedTexts";
    public const string StoredText = Kernels + "StoredText";
    public const string TextResults = Kernels + "TextResults";
    public const string SharedResults = Kernels + "SharedResults";
    public const string SortTexts = Kernels + "SortTexts";
    public const string SortValues = Kernels + "SortValues";
    public const string TopRows = Kernels + "TopRows";
    public const string ResultRows = Plan.ResultGroup.Type;

    public const string KernelProfile = Kernels + "KernelProfile";
    public const string KernelFailure = Kernels + "KernelFailure";
    public const string Raised = Kernels + "Raised";

    public const string Region = Memory + "Region";
    public const string MemoryManager = Memory + "MemoryManager";
    public const string CriticalSection = Memory + "CriticalSection";
    public const string MemoryContext = Memory + "MemoryContext";
    public const string BlockHeader = Memory + "BlockHeader";
    public const string Handle = Memory + "Handle";
    public const string DirectWord = Memory + "DirectWord";
    public const string StringWord = Memory + "StringWord";
    public const string StringHeap = Memory + "StringHeap";

    /// <summary>Types with the members that kernels call.</summary>
    public static readonly IReadOnlyDictionary<string, string[]> Members = new Dictionary<string, string[]>
    {
        [Collection] = ["Count"],
        [SnapshotScope] = ["Enter"],
        [CollectionAccess] = ["Context", "Rows", "CanScan", "Remove", "Update"],
        [OtherConditions] = ["None", "Any", "Within"],
        [BlockScanner] = ["Begin", "IsSought", "Seek", "SeekInteger", "SeekAny", "SeekAnyInteger", "SeekListed", "SeekListedIntegers", "SeekRange", "SeekFirst", "MoveToNextRows", "MustBeginAgain", "MoveNext", "MoveToRow", "Block", "FirstSlot", "SlotCount", "Asked", "Validity", "IsDense", "Dispose"],
        [RowAccess] = ["Locate", "LocateDirect", "Existing", "HandleAt"],
        [RowHandle] = ["FromBits", "ToBits"],
        [KernelMemory] = ["Read", "Write", "ReadOptional", "WriteOptional", "AddressAt", "ToUInt64", "LoadInt64x4", "MultiplyInt32", "LaneMask", "Prefetch", "OrderLoads", "Copy"],
        [ColumnValue] = ["Read", "ReadNullable", "ReadNullableAt", "Boolean", "DateOnly", "TimeOnly", "TimeSpan", "Decimal"],
        [BlockRange] = ["Of", "IsEmpty", "FallsBack"],
        [BlockNumbers] = ["Ask"],
        [ColumnFilter] = ["Keep"],
        [ColumnPair] = ["Of", "OfValues"],
        [ColumnPairFilter] = ["KeepLess", "KeepLessOrEqual", "KeepEqual", "KeepNotEqual"],
        [ReferencedRows] = ["Ask", "AskFor", "Ahead"],
        [ScanBatch] = ["Rows", "Enough", "BitmapBytes", "SelectionBytes", "IndexBytes", "AskForColumn", "AskForTexts", "AskForRow"],
        [TextFilter] = ["Keep"],
        [TextSet] = ["Add"],
        [TextOrder] = ["Of", "Compare"],
        [TextPart] = ["Of", "IsIn", "FindIn", "IsBeside"],
        [TextPattern] = ["Of", "IsPrefixOf", "IsSuffixOf", "IndexIn", "FindIn", "IndexBeside", "Substring", "SubstringWord"],
        [ListedTexts] = ["Of", "Contains"],
        [ListedNumbers] = ["Of", "Contains"],
        [RowBitmap] = ["Begin", "Count", "AppendTo", "AppendRows"],
        [ValueRange] = ["All", "AtLeast", "AtMost", "Above", "Below", "Exactly", "OnlyIf", "Contains"],
        [ZoneSpan] = ["Over"],
        [TargetRows] = ["DenseIdShift", "Find", "Locate", "Next", "ReferencesIn", "Context", "Origin", "Limit", "IndexOf", "IsComplete", "False", "True", "Unknown", "MarkFalse", "Mark", "MarkUnlessUnknown", "MustRepeat", "ForgetHidden", "Pack", "Narrow", "Append", "AppendToMark", "Cost", "Keep", "KeepToMark", "IsTrue"],
        [EndPairs] = ["Create", "Keep"],
        [IPairTest] = ["MayHold"],
        [Magnitude] = ["OfZone", "Int32Limit", "Int64Limit"],
        [ScaledTotal] = ["ToDecimal"],
        [DecimalSum] = ["Add", "AddPart"],
        [ScaledArithmetic] = ["Add", "Subtract", "Multiply", "Align"],
        [ParallelScan] = ["Scan", "ScanTargets", "Loop", "TryRun"],
        [IKernelState] = ["HasGivenUp", "GiveUp", "Begin", "Adopt", "End"],
        [IParallelScan] = ["Scan", "Seek"],
        [IParallelLoop] = ["Run"],
        [IndexWindows] = ["OfScan"],
        [AggregateResults] = ["KeyNotNull", "ToInt32", "ToInt64", "NoElements", "MoreThanOneElement", "NoMatch", "MoreThanOneMatch", "IsLess", "IsGreater"],
        [ExtremeRank] = ["OfMinimum", "OfMaximum", "Greater", "If", "Minimum", "Maximum"],
        [GroupRecords] = ["Ask", "At", "FindAll", "AtIndex", "IsOtherHandle", "Claim", "Place", "PlaceAt", "PlaceByIndex", "TryAdd", "Add", "Count", "NextPlace", "IndexedBytes", "PrefetchRow", "Ahead", "Reach", "ReachAll", "TryTakeIndexes", "Takes"],
        [BatchGroups] = ["At"],
        [IGroupFinder] = ["Find"],
        [KnownPlaces] = ["Ask", "Create", "Of", "Keep", "Bytes", "ReferencesIn"],
        [IntegerKeys] = ["Of", "OfScan", "Begin", "Domain", "Numbers", "HasIndexes", "PartBytes", "Reach", "ReachAll", "FindOrAdd", "Ask", "TryTake", "Takes"],
        [GroupNumbers] = ["Create", "Size", "FirstGroup"],
        [GroupHashTable] = ["FindOrAdd", "First", "Next", "TryCandidate", "Add"],
        [DistinctCounts] = ["Add", "CountWaiting", "Take"],
        [DistinctSet] = ["Add", "Places", "TryGet"],
        [KeyDomain] = ["Empty", "Add", "IsSmallFor", "HasIndexes", "Size", "Minimum", "Span", "Step"],
        [KeyIndexes] = ["Add", "Discard", "TryTranslate", "TryAddMissing", "AddGroup"],
        [KeyWords] = ["Spread", "Hash", "HashText", "OfDouble", "OfDecimal", "OfText", "OrElse", "Keep", "Word"],
        [ChainedRows] = ["Arrange"],
        [IChainedRow] = ["Next"],
        [IJoinedRow] = ["K0", "Next"],
        [JoinTable] = ["Of", "Create", "OfHandle", "Push", "First", "IsLarge", "Ask"],
        [KeySpan] = ["Empty", "Widen"],
        [LeftRows] = ["Of", "Seek", "SeekInteger", "SeekAny", "SeekAnyInteger", "SeekListed", "SeekListedIntegers", "SeekRange", "Join"],
        [PartnerIndex] = ["Choose", "Pays", "IsChosen", "Find", "MoveNext", "Keep", "HasChanged", "WereInVain"],
        [KeyFilter] = ["All", "Create", "Over", "OverRows", "Add", "TryAdd", "TryAddRow", "TryAddColumn", "WithoutKeys", "AddAll", "Contains", "ContainsRow", "Keep", "Append", "Cost", "IsExact", "NumbersIn"],
        [FilterOrder] = ["FixUnless", "IsFixed", "Note", "Sort", "Weigh"],
        [ObjectList] = ["Add", "Put", "Item"],
        [ValueNumbers] = ["Of", "Item", "KeepLast", "Kept"],
        [ComparedText] = ["Of"],
        [ComparedTexts] = ["Of", "Item"],
        [TextScratch] = ["Encode"],
        [LaneSums] = ["Create", "Address", "CopyBytes", "Add", "MoveTo", "MaxGroups"],
        [UnitsRange] = ["OfZone", "Of", "Add", "Subtract", "Multiply", "ProductMayLoseScale"],
        [WideTotals] = ["Take", "Total", "Add", "IsEmpty", "HasZero"],
        [RegionList] = ["Begin", "Add", "AddressOf", "AddRange", "Count", "Reserve", "Truncate"],
        [ISortRow] = ["Compare", "WholeKey", "WholeKeys"],
        [StableSort] = ["Sort"],
        [ElementsByKey] = ["Add", "Sort", "Find", "FindInAnyOrder", "ScansFirst"],
        [FoundElements] = ["Next"],
        [SharedTexts] = ["Decode"],
        [StoredText] = ["Length", "CharAt", "IsNullOrEmpty", "IsNullOrWhiteSpace", "StartsWith", "EndsWith", "Contains", "Equals", "AreEqual"],
        [TextResults] = ["TryFind", "Keep"],
        [SharedResults] = ["TryFind", "Keep"],
        [SortTexts] = ["Add", "AddAll", "Compare", "RankOf", "Values"],
        [SortValues] = ["Add", "Compare"],
        [TopRows] = ["Offer", "Rows", "Finish"],
        [ResultRows] = ["List", "Array", "HashSet", "Dictionary", "Pairs", "ToArray", "ToLookup", "Group", "Source"],
        [KernelProfile] = ["Begin", "Add", "AddTarget"],
        [KernelFailure] = ["IsLeftToQuery", "Throw"],
        [Raised] = [.. Enum.GetNames(typeof(Plan.Raised))],
        [Region] = ["Allocate", "AllocateZeroed", "Adopt", "Dispose"],
        [MemoryManager] = ["Default"],
        [CriticalSection] = ["Enter"],
        [MemoryContext] = ["Manager", "Count", "Strings"],
        [BlockHeader] = ["HandleOfSeen", "SlotCount", "Validity", "DenseIdAt"],
        [Handle] = ["IsAlive"],
        [DirectWord] = ["ToHandle"],
        [StringHeap] = ["HasExactWords"],
        [StringWord] = ["CompareOrdinal", "Decode", "Equals", "EncodeInto"],
    };
}
