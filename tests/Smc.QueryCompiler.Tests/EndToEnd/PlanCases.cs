using Smc.QueryCompiler.Plan;
using static Smc.QueryCompiler.Tests.EndToEnd.PlanSchema;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Plans by hand: every operator, every terminal, nested and correlated.</summary>
internal static class PlanCases
{
    private static readonly PlanType s_word = PlanType.String.AsNullable();

    public static readonly IReadOnlyList<string> Names =
    [
        "lists", "skip and take", "while", "numbered", "distinct", "distinct words", "distinct computed words", "concat", "append", "reverse", "reverse rows", "unit",
        "default if empty", "default of none", "join of rows", "join on keys", "join keeps the order of both sides", "join of strings", "join with nulls", "join where nulls match", "left join", "left join without a row", "semi join", "anti join",
        "semi join with residual", "cross join", "join of two kinds of keys", "apply", "apply with an order inside", "apply with groups inside", "apply over a subquery's join", "group rows", "group rows of all", "aggregates that raise for groups that do not count", "group rows of a join", "order inside groups", "group join as a list",
        "correlated sum", "correlated any", "uncorrelated maximum", "uncorrelated average that raises", "uncorrelated that is never asked", "subquery in a filter over groups", "groups of groups", "groups of lists", "computed twice", "fold", "fold without seed", "first of a group", "distinct counts", "longest strings of groups",
        "array", "set", "dictionary", "dictionary of duplicates", "look-up", "first", "first of none", "single of many", "last", "last or default", "element at", "element at a negative index", "any of many", "top of a join", "order of a join by strings", "limit inside apply", "limit of a concat", "skip of zero", "three collections", "the same collection twice",
        "numbers in a list", "texts in a list", "parts of texts in a list",
    ];

    /// <summary>What a kernel computes before it knows whether anybody asks.</summary>
    public static readonly string[] CanRaiseAlone = ["aggregates that raise for groups that do not count", "uncorrelated maximum", "uncorrelated that is never asked"];

    public static IReadOnlyList<PlanCase> All(PlanSchema shop)
    {
        ScalarExpression Name(int customer) => shop.Column(Customer(customer), "Name");
        ScalarExpression Segment(int customer) => shop.Column(Customer(customer), "Segment");
        ScalarExpression Rating(int customer) => shop.Column(Customer(customer), "Rating");
        ScalarExpression OrderKey(int order) => shop.Column(Order(order), "Key");
        ScalarExpression Priority(int order) => shop.Column(Order(order), "Priority");
        ScalarExpression Comment(int order) => shop.Column(Order(order), "Comment");
        ScalarExpression OrdersCustomer(int order) => shop.Column(Order(order), "Customer");
        ScalarExpression Price(int line) => shop.Column(Line(line), "Price");
        ScalarExpression Quantity(int line) => shop.Column(Line(line), "Quantity");
        ScalarExpression LineNumber(int line) => shop.Column(Line(line), "Number");
        ScalarExpression LinesOrder(int line) => shop.Column(Line(line), "Order");
        ScalarExpression Mode(int line) => shop.Column(Line(line), "Mode");
        ScalarExpression Note(int line) => shop.Column(Line(line), "Note");

        ScalarExpression Upper(ScalarExpression text) => new Call(s_word, "global::System.String.Trim", new Binary(PlanType.String, BinaryOperator.Add, text, Text("!")), EquatableArray<ScalarExpression>.Empty);
        Filter LinesOf(int order, int line) => new(shop.Lines(line), Equal(LinesOrder(line), Order(order)));
        Filter OrdersOf(int customer, int order) => new(shop.Orders(order), Equal(OrdersCustomer(order), Customer(customer)));
        PlanType price = Price(0).Type, note = Note(0).Type;

        return
        [
            shop.List("lists", "numbers.Where(x => x > n).ToList()", new Filter(Numbers(1), Greater(Number(1), N)), Number(1)),
            shop.List("skip and take", "items.Where(l => l.Number > 0).Skip(n).Take(7).Select(l => l.Price).ToList()",
                new Limit(new Skip(new Filter(shop.Lines(1), Greater(LineNumber(1), Int(0))), N), Int(7)), Price(1)),
            shop.List("while", "numbers.SkipWhile(x => x != 0).TakeWhile(x => x < 12).ToList()",
                new While(new While(Numbers(1), Compare(Number(1), BinaryOperator.NotEqual, Int(0)), false), Less(Number(1), Int(12)), true), Number(1)),
            shop.List("numbered", "orders.Select((o, i) => (o, i)).Where(x => x.i % 3 == 1).Select(x => (x.i, x.o.Key)).ToList()",
                new Filter(new Number(shop.Orders(1), 2), Equal(Math(BinaryOperator.Remainder, Number(2), Int(3)), Int(1))), Number(2), OrderKey(1)),
            shop.List("distinct", "items.Select(l => l.Number).Distinct().ToList()", new Distinct(shop.Lines(1), Keys(LineNumber(1))), LineNumber(1)),
            shop.List("distinct words", "words.Concat(items.Select(l => l.Note)).Distinct().ToList()",
                new Distinct(new Concat(Words(1), shop.Lines(2), EquatableArray.Of(new ConcatColumn(3, "w", Word(1), new Plan.Convert(s_word, Note(2))))), Keys(Word(3))), Word(3)),
            shop.List("distinct computed words", "items.Select(l => (l.Mode + \"!\").Trim()).Distinct().ToList()",
                new Distinct(new Compute(shop.Lines(1), EquatableArray.Of(new Binding(2, "w", Upper(Mode(1))))), Keys(Word(2))), Word(2)),
            shop.List("concat", "numbers.Concat(items.Select(l => l.Number)).Where(x => x > 40).ToList()",
                new Filter(new Concat(Numbers(1), shop.Lines(2), EquatableArray.Of(new ConcatColumn(3, "x", Number(1), LineNumber(2)))), Greater(Number(3), Int(40))), Number(3)),
            shop.List("append", "orders.OrderBy(o => o.Priority).Select(o => o.Priority).Append(n).ToList()",
                new Concat(new Order(shop.Orders(1), By(Priority(1))), new Unit(), EquatableArray.Of(new ConcatColumn(2, "p", Priority(1), N))), Number(2)),
            shop.List("reverse", "Enumerable.Reverse(numbers).Skip(1).ToList()", new Skip(new Reverse(Numbers(1)), Int(1)), Number(1)),
            shop.List("reverse rows", "orders.Where(o => o.Priority > 2).Reverse().Select(o => (o.Key, o.Comment)).ToList()", new Reverse(new Filter(shop.Orders(1), Greater(Priority(1), Int(2)))), OrderKey(1), Comment(1)),
            shop.List("unit", "new List<int> { n }", new Unit(), N),
            shop.List("default if empty", "numbers.Where(x => x > 1000).Select(x => (int?)x).DefaultIfEmpty().Select(x => (x is not null, x ?? 0)).ToList()",
                new DefaultIfEmpty(new Filter(Numbers(1), Greater(Number(1), Int(1000))), 2), Value(PlanType.Boolean, 2), Number(1)),
            shop.List("default of none", "items.Where(l => l.Number > n).DefaultIfEmpty().Where(l => l == default).Select(l => 1).ToList()",
                new Filter(new DefaultIfEmpty(new Filter(shop.Lines(1), Greater(LineNumber(1), N)), 2), Equal(Line(1), new Constant(new PlanType(TypeKind.Tabular, "global::Shop.Line"), "null"))), Int(1)),

            shop.List("join of rows", "items.Join(orders, l => l.Order, o => o, (l, o) => (l.Price, o.Key)).ToList()",
                Join(JoinKind.Inner, shop.Lines(1), shop.Orders(2), LinesOrder(1), Order(2)), Price(1), OrderKey(2)),
            shop.List("join on keys", "numbers.Join(orders, x => x, o => o.Priority, (x, o) => (x, o.Key)).ToList()",
                Join(JoinKind.Inner, Numbers(1), shop.Orders(2), Number(1), Priority(2)), Number(1), OrderKey(2)),
            shop.List("join keeps the order of both sides", "orders.Where(o => o.Priority < 3).Join(items.Where(l => l.Number > 0), o => o.Priority, l => l.Number, (o, l) => (o.Key, l.Price)).ToList()",
                Join(JoinKind.Inner, new Filter(shop.Orders(1), Less(Priority(1), Int(3))), new Filter(shop.Lines(2), Greater(LineNumber(2), Int(0))), Priority(1), LineNumber(2)), OrderKey(1), Price(2)),
            shop.List("join of strings", "words.Join(items, w => w, l => l.Mode, (w, l) => (w, l.Number)).ToList()",
                Join(JoinKind.Inner, Words(1), shop.Lines(2), Word(1), Mode(2)), Word(1), LineNumber(2)),
            shop.List("join with nulls", "words.Join(items, w => w, l => l.Note, (w, l) => (w, l.Number)).ToList()",
                Join(JoinKind.Inner, Words(1), shop.Lines(2), Word(1), Note(2)), Word(1), LineNumber(2)),
            shop.List("join where nulls match", "(from w in words from l in items where w == l.Note select (w, l.Number)).ToList()",
                Join(JoinKind.Inner, Words(1), shop.Lines(2), Word(1), Note(2), nullsMatch: true), Word(1), LineNumber(2)),
            shop.List("left join", "(from x in numbers join o in orders on x equals o.Priority into os from o in os.DefaultIfEmpty() select (x, o == default ? -1L : o.Key)).ToList()",
                Join(JoinKind.Left, Numbers(1), shop.Orders(2), Number(1), Priority(2), match: 3),
                Number(1), new Conditional(PlanType.Int64, Value(PlanType.Boolean, 3), OrderKey(2), new Constant(PlanType.Int64, "-1L"))),
            shop.List("left join without a row", "(from x in numbers join o in orders on x equals o.Priority into os from o in os.DefaultIfEmpty() select o.Key).ToList()",
                Join(JoinKind.Left, Numbers(1), shop.Orders(2), Number(1), Priority(2), match: 3), OrderKey(2)),
            shop.List("semi join", "orders.Where(o => numbers.Contains(o.Priority)).Select(o => o.Key).ToList()", Join(JoinKind.Semi, shop.Orders(1), Numbers(2), Priority(1), Number(2)), OrderKey(1)),
            shop.List("anti join", "orders.Where(o => !items.Any(l => l.Order == o)).Select(o => o.Key).ToList()", Join(JoinKind.Anti, shop.Orders(1), shop.Lines(2), Order(1), LinesOrder(2)), OrderKey(1)),
            shop.List("semi join with residual", "items.Where(l => items.Any(m => m.Order == l.Order && m.Number > l.Number && m.Mode != l.Mode)).Select(l => l.Number).ToList()",
                Join(JoinKind.Semi, shop.Lines(1), shop.Lines(2), LinesOrder(1), LinesOrder(2),
                    Compare(Greater(LineNumber(2), LineNumber(1)), BinaryOperator.AndAlso, Compare(Mode(2), BinaryOperator.NotEqual, Mode(1)))), LineNumber(1)),
            shop.List("cross join", "(from x in numbers from c in customers select (x, c.Name)).ToList()",
                new Join(JoinKind.Inner, Numbers(1), shop.Customers(2), EquatableArray<JoinKey>.Empty), Number(1), Name(2)),
            shop.List("join of two kinds of keys", "items.Join(items.Where(m => m.Number > 50), l => new { N = (int?)l.Number, l.Mode }, m => new { N = m.Maybe, m.Mode }, (l, m) => (l.Price, m.Price)).ToList()",
                new Join(JoinKind.Inner, shop.Lines(1), new Filter(shop.Lines(2), Greater(LineNumber(2), Int(50))),
                    EquatableArray.Of(new JoinKey(new Plan.Convert(PlanType.Int32.AsNullable(), LineNumber(1)), shop.Column(Line(2), "Maybe"), true), new JoinKey(Mode(1), Mode(2), true))), Price(1), Price(2)),

            shop.List("apply", "(from c in customers from o in orders where o.Customer == c select (c.Name, o.Key)).ToList()", new Apply(shop.Customers(1), OrdersOf(1, 2)), Name(1), OrderKey(2)),
            shop.List("apply with an order inside", "customers.SelectMany(c => orders.Where(o => o.Customer == c).OrderBy(o => o.Priority).Take(2), (c, o) => (c.Name, o.Key)).ToList()",
                new Apply(shop.Customers(1), new TopN(OrdersOf(1, 2), By(Priority(2)), Int(2))), Name(1), OrderKey(2)),
            shop.List("apply with groups inside", "customers.SelectMany(c => orders.Where(o => o.Customer == c).GroupBy(o => o.Comment), (c, g) => (c.Name, g.Key, g.Count())).OrderBy(x => x.Item3).ToList()",
                new Order(new Apply(shop.Customers(1), Group(OrdersOf(1, 2), 1, Keys(Comment(2)), Count())), By(Result(PlanType.Int32, 1))), Name(1), Key(Comment(2).Type, 1), Result(PlanType.Int32, 1)),
            shop.List("apply over a subquery's join", "customers.SelectMany(c => orders.Where(o => o.Customer == c).Join(numbers, o => o.Priority, x => x, (o, x) => o.Key)).ToList()",
                new Apply(shop.Customers(1), Join(JoinKind.Inner, OrdersOf(1, 2), Numbers(3), Priority(2), Number(3))), OrderKey(2)),
            shop.List("group rows", "orders.GroupBy(o => o.Priority).Select(g => (g.Key, g.Count(), g.Select(o => o.Key).ToList())).ToList()",
                Group(shop.Orders(1), 1, Keys(Priority(1)), Count()), Key(PlanType.Int32, 1), Result(PlanType.Int32, 1),
                ListOf(new GroupRows(1, EquatableArray.Of(new GroupVariable(1, 2))), OrderKey(2))),
            shop.List("group rows of all", "new List<(int, List<long>)> { (orders.Count(), orders.Select(o => o.Key).ToList()) }",
                Group(shop.Orders(1), 1, EquatableArray<ScalarExpression>.Empty, Count()), Result(PlanType.Int32, 1), ListOf(new GroupRows(1, EquatableArray.Of(new GroupVariable(1, 2))), OrderKey(2))),
            shop.List("aggregates that raise for groups that do not count", "items.GroupBy(l => l.Number > 0).Where(g => g.Key).Select(g => g.Sum(l => 1000 / (l.Number > 0 ? 1 : 0))).ToList()",
                new Filter(Group(shop.Lines(1), 1, Keys(Greater(LineNumber(1), Int(0))), Sum(Math(BinaryOperator.Divide, Int(1000), new Conditional(PlanType.Int32, Greater(LineNumber(1), Int(0)), Int(1), Int(0))))), Key(PlanType.Boolean, 1)), Result(PlanType.Int32, 1)),
            shop.List("group rows of a join", "items.Join(orders, l => l.Order, o => o, (l, o) => new { l, o }).GroupBy(x => x.o.Priority).Select(g => (g.Key, g.Select(x => (x.l.Number, x.o.Key)).ToList())).ToList()",
                Group(Join(JoinKind.Inner, shop.Lines(1), shop.Orders(2), LinesOrder(1), Order(2)), 1, Keys(Priority(2))), Key(PlanType.Int32, 1),
                ListOf(new GroupRows(1, EquatableArray.Of(new GroupVariable(1, 3), new GroupVariable(2, 4))), Tuple(LineNumber(3), OrderKey(4)))),
            shop.List("order inside groups", "orders.GroupBy(o => o.Comment).OrderBy(g => g.Count()).SelectMany(g => g.OrderByDescending(o => o.Date).Take(1), (g, o) => (g.Key, o.Key)).ToList()",
                new Apply(new Order(Group(shop.Orders(1), 1, Keys(Comment(1)), Count()), By(Result(PlanType.Int32, 1))),
                    new TopN(new GroupRows(1, EquatableArray.Of(new GroupVariable(1, 2))), EquatableArray.Of(new Plan.OrderKey(shop.Column(Order(2), "Date"), true)), Int(1))), Key(Comment(1).Type, 1), OrderKey(2)),
            shop.List("group join as a list", "customers.GroupJoin(orders, c => c, o => o.Customer, (c, os) => (c.Name, os.Select(o => o.Key).ToList())).ToList()", shop.Customers(1), Name(1), ListOf(OrdersOf(1, 2), OrderKey(2))),

            shop.List("correlated sum", "orders.Select(o => (o.Key, items.Where(l => l.Order == o).Sum(l => l.Price))).ToList()",
                shop.Orders(1), OrderKey(1), ScalarOf(Group(LinesOf(1, 2), 1, EquatableArray<ScalarExpression>.Empty, Sum(Price(2))), Result(price, 1))),
            shop.List("correlated any", "orders.Where(o => items.Any(l => l.Order == o && l.Number > 80)).Select(o => o.Key).ToList()",
                new Filter(shop.Orders(1), AnyOf(new Filter(LinesOf(1, 2), Greater(LineNumber(2), Int(80))))), OrderKey(1)),
            shop.List("uncorrelated maximum", "items.Where(l => l.Number == items.Max(m => m.Number)).Select(l => l.Price).ToList()",
                new Filter(shop.Lines(1), Equal(LineNumber(1), ScalarOf(Group(shop.Lines(2), 1, EquatableArray<ScalarExpression>.Empty, Max(LineNumber(2))), Result(PlanType.Int32, 1)))), Price(1)),
            shop.List("uncorrelated average that raises", "orders.Where(o => o.Priority > items.Where(l => l.Number > 5000).Max(l => l.Number)).Select(o => o.Key).ToList()",
                new Filter(shop.Orders(1), Greater(Priority(1), ScalarOf(Group(new Filter(shop.Lines(2), Greater(LineNumber(2), Int(5000))), 1, EquatableArray<ScalarExpression>.Empty, Max(LineNumber(2))), Result(PlanType.Int32, 1)))), OrderKey(1)),
            shop.List("uncorrelated that is never asked", "orders.Where(o => o.Priority > 100 && o.Priority > items.Where(l => l.Number > 5000).Max(l => l.Number)).Select(o => o.Key).ToList()",
                new Filter(shop.Orders(1), Compare(Greater(Priority(1), Int(100)), BinaryOperator.AndAlso,
                    Greater(Priority(1), ScalarOf(Group(new Filter(shop.Lines(2), Greater(LineNumber(2), Int(5000))), 1, EquatableArray<ScalarExpression>.Empty, Max(LineNumber(2))), Result(PlanType.Int32, 1))))), OrderKey(1)),
            shop.List("subquery in a filter over groups", "items.GroupBy(l => l.Mode).Where(g => g.Sum(l => l.Price) * 4 > items.Sum(l => l.Price)).Select(g => g.Key).ToList()",
                new Filter(Group(shop.Lines(1), 1, Keys(Mode(1)), Sum(Price(1))), Greater(Math(BinaryOperator.Multiply, Result(price, 1), new Plan.Convert(price, Int(4))),
                    ScalarOf(Group(shop.Lines(2), 2, EquatableArray<ScalarExpression>.Empty, Sum(Price(2))), Result(price, 2)))), Key(Mode(1).Type, 1)),
            shop.List("groups of groups", "items.GroupBy(l => l.Order).GroupBy(g => g.Count()).Select(g => (g.Key, g.Count())).OrderBy(x => x.Key).ToList()",
                new Order(Group(Group(shop.Lines(1), 1, Keys(LinesOrder(1)), Count()), 2, Keys(Result(PlanType.Int32, 1)), Count()), By(Key(PlanType.Int32, 2))), Key(PlanType.Int32, 2), Result(PlanType.Int32, 2)),
            shop.List("groups of lists", "words.GroupBy(w => w).Select(g => (g.Key, g.Count())).ToList()", Group(Words(1), 1, Keys(Word(1)), Count()), Key(s_word, 1), Result(PlanType.Int32, 1)),
            shop.List("computed twice", "items.Select(l => new { l, Half = l.Price / 2 }).Where(x => x.Half > 20000).Select(x => (x.Half, x.l.Number)).ToList()",
                new Filter(new Compute(shop.Lines(1), EquatableArray.Of(new Binding(2, "half", Math(BinaryOperator.Divide, Price(1), new Constant(price, "2m"))))), Greater(Value(price, 2), new Constant(price, "20000m"))), Value(price, 2), LineNumber(1)),
            shop.Scalar("fold", "numbers.Aggregate(n, (a, x) => a * 3 + x)",
                Group(Numbers(1), 1, EquatableArray<ScalarExpression>.Empty, new AggregateCall(AggregateKind.Fold, Math(BinaryOperator.Add, Math(BinaryOperator.Multiply, Number(2), Int(3)), Number(1)), null, PlanType.Int32, Seed: N, Accumulator: 2)), Result(PlanType.Int32, 1)),
            shop.List("fold without seed", "items.GroupBy(l => l.Flag).Select(g => g.Select(l => l.Mode).Aggregate((a, m) => m + a)).ToList()",
                Group(shop.Lines(1), 1, Keys(shop.Column(Line(1), "Flag")), new AggregateCall(AggregateKind.Fold, new Binary(PlanType.String, BinaryOperator.Add, Mode(1), Value(PlanType.String, 2)), null, PlanType.String, First: Mode(1), Accumulator: 2)), Result(PlanType.String, 1)),
            shop.List("first of a group", "items.GroupBy(l => l.Mode).Select(g => (g.Key, g.First().Price, g.First().Note)).ToList()",
                Group(shop.Lines(1), 1, Keys(Mode(1)), new AggregateCall(AggregateKind.First, Price(1), null, price), new AggregateCall(AggregateKind.First, Note(1), null, note)), Key(Mode(1).Type, 1), Result(price, 1), Result(note, 1, 1)),
            shop.List("distinct counts", "items.GroupBy(l => l.Flag).Select(g => (g.Select(l => l.Number).Distinct().Count(), g.Select(l => l.Note).Distinct().Count(), g.Select(l => l.Price).Distinct().Sum())).ToList()",
                Group(shop.Lines(1), 1, Keys(shop.Column(Line(1), "Flag")), new AggregateCall(AggregateKind.Count, LineNumber(1), null, PlanType.Int32, true), new AggregateCall(AggregateKind.Count, Note(1), null, PlanType.Int32, true), new AggregateCall(AggregateKind.Sum, Price(1), null, price, true)),
                Result(PlanType.Int32, 1), Result(PlanType.Int32, 1, 1), Result(price, 1, 2)),
            shop.List("longest strings of groups", "items.GroupBy(l => l.Flag).Select(g => (g.Max(l => l.Note), g.Min(l => l.Mode))).ToList()",
                Group(shop.Lines(1), 1, Keys(shop.Column(Line(1), "Flag")), Max(Note(1)), Min(Mode(1))), Result(note, 1), Result(Mode(1).Type, 1, 1)),

            shop.Collected("array", "orders.Select(o => o.Comment).ToArray()", Terminal.Array, "{0}[]", shop.Orders(1), Comment(1)),
            shop.Collected("set", "orders.Select(o => o.Priority).ToHashSet()", Terminal.HashSet, "global::System.Collections.Generic.HashSet<{0}>", shop.Orders(1), Priority(1)),
            shop.Case("dictionary", "orders.ToDictionary(o => o.Key, o => o.Priority)", new Project(shop.Orders(1), Priority(1), OrderKey(1)), Terminal.Dictionary, new PlanType(TypeKind.Class, "global::System.Collections.Generic.Dictionary<long, int>")),
            shop.Case("dictionary of duplicates", "orders.ToDictionary(o => o.Priority, o => o.Key)", new Project(shop.Orders(1), OrderKey(1), Priority(1)), Terminal.Dictionary, new PlanType(TypeKind.Class, "global::System.Collections.Generic.Dictionary<int, long>")),
            shop.Case("look-up", "orders.ToLookup(o => o.Priority, o => o.Key)", new Project(shop.Orders(1), OrderKey(1), Priority(1)), Terminal.Lookup, new PlanType(TypeKind.Class, "global::System.Linq.ILookup<int, long>")),
            shop.One("first", "orders.OrderBy(o => o.Date).First().Key", Terminal.First, new Order(shop.Orders(1), By(shop.Column(Order(1), "Date"))), OrderKey(1)),
            shop.One("first of none", "orders.Where(o => o.Priority > 1000).First().Key", Terminal.First, new Filter(shop.Orders(1), Greater(Priority(1), Int(1000))), OrderKey(1)),
            shop.One("single of many", "orders.Single().Key", Terminal.Single, shop.Orders(1), OrderKey(1)),
            shop.One("last", "orders.Last(o => o.Priority == 1).Key", Terminal.Last, new Filter(shop.Orders(1), Equal(Priority(1), Int(1))), OrderKey(1)),
            shop.One("last or default", "numbers.Where(x => x > 100).LastOrDefault()", Terminal.LastOrDefault, new Filter(Numbers(1), Greater(Number(1), Int(100))), Number(1)),
            shop.One("element at", "orders.ElementAt(n).Key", Terminal.ElementAt, new Skip(shop.Orders(1), N), OrderKey(1)),
            shop.One("element at a negative index", "orders.ElementAt(-1).Key", Terminal.ElementAt, new Skip(shop.Orders(1), Int(-1)), OrderKey(1)),
            shop.Case("any of many", "(from o in orders from l in items where l.Order == o && l.Number > 90 select l).Any()", new Apply(shop.Orders(1), new Filter(LinesOf(1, 2), Greater(LineNumber(2), Int(90)))), Terminal.Any, PlanType.Boolean),
            shop.List("top of a join", "items.Join(orders, l => l.Order, o => o, (l, o) => new { l, o }).OrderByDescending(x => x.l.Price).ThenBy(x => x.o.Key).Take(5).Select(x => (x.l.Price, x.o.Comment)).ToList()",
                new TopN(Join(JoinKind.Inner, shop.Lines(1), shop.Orders(2), LinesOrder(1), Order(2)), EquatableArray.Of(new Plan.OrderKey(Price(1), true), new Plan.OrderKey(OrderKey(2), false)), Int(5)), Price(1), Comment(2)),
            shop.List("order of a join by strings", "orders.Join(customers, o => o.Customer, c => c, (o, c) => new { o, c }).OrderBy(x => x.c.Segment).ThenBy(x => x.o.Comment).Select(x => (x.c.Segment, x.o.Comment, x.o.Key)).ToList()",
                new Order(Join(JoinKind.Inner, shop.Orders(1), shop.Customers(2), OrdersCustomer(1), Customer(2)), By(Segment(2), Comment(1))), Segment(2), Comment(1), OrderKey(1)),
            shop.List("limit inside apply", "customers.SelectMany(c => orders.Where(o => o.Customer == c).Take(n % 3), (c, o) => (c.Rating, o.Key)).Take(9).ToList()",
                new Limit(new Apply(shop.Customers(1), new Limit(OrdersOf(1, 2), Math(BinaryOperator.Remainder, N, Int(3)))), Int(9)), Rating(1), OrderKey(2)),
            shop.List("limit of a concat", "orders.Select(o => o.Priority).Concat(numbers).Take(3).ToList()",
                new Limit(new Concat(shop.Orders(1), Numbers(2), EquatableArray.Of(new ConcatColumn(3, "x", Priority(1), Number(2)))), Int(3)), Number(3)),
            shop.List("skip of zero", "orders.Skip(0).Select(o => o.Key).ToList()", new Skip(shop.Orders(1), Int(0)), OrderKey(1)),
            shop.List("three collections", "(from c in customers join o in orders on c equals o.Customer join l in items on o equals l.Order where l.Number > 50 select (c.Name, o.Key, l.Price)).ToList()",
                Join(JoinKind.Inner, Join(JoinKind.Inner, shop.Customers(1), shop.Orders(2), Customer(1), OrdersCustomer(2)), new Filter(shop.Lines(3), Greater(LineNumber(3), Int(50))), Order(2), LinesOrder(3)),
                Name(1), OrderKey(2), Price(3)),
            shop.List("the same collection twice", "items.Join(items, l => l.Price, m => m.Price, (l, m) => (l.Number, m.Quantity)).ToList()",
                Join(JoinKind.Inner, shop.Lines(1), shop.Lines(2), Price(1), Price(2)), LineNumber(1), Quantity(2)),
            shop.List("numbers in a list", "items.Where(l => numbers.Contains(l.Number)).Select(l => l.Price).ToList()", new Filter(shop.Lines(1), InNumbers(LineNumber(1))), Price(1)),
            shop.List("texts in a list", "items.Where(l => words.Contains(l.Note)).Select(l => l.Note).ToList()", new Filter(shop.Lines(1), InWords(Note(1))), Note(1)),
            shop.List("parts of texts in a list", "customers.Where(c => words.Contains(c.Segment.Substring(0, 2))).Select(c => c.Name).ToList()",
                new Filter(shop.Customers(1), InWords(new Call(PlanType.String, "global::System.String.Substring", Segment(1), EquatableArray.Of(Int(0), Int(2))))), Name(1)),
        ];
    }
}
