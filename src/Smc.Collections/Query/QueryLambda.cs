using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Smc.Collections;

/// <summary>The lambdas of recorded queries as delegates, for LINQ to Objects.</summary>
internal static class QueryLambda
{
    /// <summary>
    /// The delegate of a lambda. A query inside the lambda becomes one of <c>System.Linq</c>, which the same code then runs; as it stands it would be
    /// recorded and compiled again for every row. Without dynamic code it stands, and the lambda is interpreted.
    /// </summary>
    public static TDelegate Compile<TDelegate>(Expression<TDelegate> lambda)
        where TDelegate : Delegate =>
        RuntimeFeature.IsDynamicCodeSupported ? InnerQueries.ToLinq(lambda).Compile() : lambda.Compile();

    /// <summary>Replaces calls of our operators by those of <see cref="Enumerable"/> with the same meaning.</summary>
    [RequiresDynamicCode("Instantiates generic methods of System.Linq.")]
    private sealed class InnerQueries : ExpressionVisitor
    {
        private static readonly ILookup<string, MethodInfo> s_operators = typeof(Enumerable).GetMethods(BindingFlags.Public | BindingFlags.Static).ToLookup(m => m.Name);

        public static Expression<TDelegate> ToLinq<TDelegate>(Expression<TDelegate> lambda)
            where TDelegate : Delegate =>
            (Expression<TDelegate>)new InnerQueries().Visit(lambda);

        protected override Expression VisitLambda<TDelegate>(Expression<TDelegate> node) =>
            Expression.Lambda<TDelegate>(VisitAs(node.Body, node.ReturnType), node.Name, node.TailCall, node.Parameters);

        protected override Expression VisitUnary(UnaryExpression node) =>
            node.NodeType == ExpressionType.Convert && node.Method is null ? Expression.Convert(VisitAs(node.Operand, node.Type), node.Type) : base.VisitUnary(node);

        protected override Expression VisitMethodCall(MethodCallExpression node)
        {
            if (ElementTypeOf(node.Method) is not null)
                return IsQuery(node.Type) ? node : TryLinq(node) ?? node;
            return node.Update(Visit(node.Object), node.Method.GetParameters().Zip(node.Arguments, (parameter, argument) => VisitAs(argument, parameter.ParameterType)));
        }

        /// <summary>Where a sequence is wanted, and nothing more, a query may be one of System.Linq.</summary>
        private Expression VisitAs(Expression expression, Type wanted) =>
            expression is MethodCallExpression call && IsQuery(call.Type) && !IsQuery(wanted) && TryLinq(call) is { } linq && wanted.IsAssignableFrom(linq.Type)
                ? linq
                : Visit(expression);

        private MethodCallExpression? TryLinq(MethodCallExpression call)
        {
            Expression[] arguments = call.Object is null ? [.. call.Arguments] : [call.Object, .. call.Arguments];
            if (ElementTypeOf(call.Method) is not { } elementType
                || arguments.Any(a => a.Type.IsAssignableTo(typeof(LambdaExpression)) && a.NodeType != ExpressionType.Quote)
                || LinqMethod(call.Method, elementType) is not { } linq)
                return null;
            return Expression.Call(linq, linq.GetParameters().Zip(arguments, (parameter, argument) => Argument(argument, parameter.ParameterType)));
        }

        private Expression Argument(Expression argument, Type type)
        {
            if (argument is UnaryExpression { NodeType: ExpressionType.Quote, Operand: LambdaExpression lambda })
                return Visit(lambda);
            Expression visited = VisitAs(argument, type);
            return type.IsAssignableFrom(visited.Type) ? visited : Expression.Convert(visited, type);
        }

        private static bool IsQuery(Type type) =>
            type.IsGenericType && type.GetGenericTypeDefinition() is { } definition && (definition == typeof(Query<>) || definition == typeof(OrderedQuery<>));

        /// <summary>The element type when the method is an operator of a query, else null.</summary>
        private static Type? ElementTypeOf(MethodInfo method)
        {
            if (method.DeclaringType == typeof(QueryAggregates))
                return method.GetParameters()[0].ParameterType.GetGenericArguments()[0];
            return method.DeclaringType is { } type && IsQuery(type) ? type.GetGenericArguments()[0] : null;
        }

        [UnconditionalSuppressMessage("Trimming", "IL2060", Justification = "The operators of System.Linq that ours stand for are used by their own code, so they are kept.")]
        private static MethodInfo? LinqMethod(MethodInfo ours, Type elementType)
        {
            Type[] arguments = [.. ours.DeclaringType == typeof(QueryAggregates) ? [] : new[] { elementType }, .. ours.GetGenericArguments()];
            Type[] parameters = [.. ours.GetParameters().Select(p => DelegateOf(p.ParameterType))];
            int further = ours.IsStatic ? parameters.Length - 1 : parameters.Length;
            foreach (MethodInfo candidate in s_operators[ours.Name])
            {
                if (candidate.GetGenericArguments().Length != arguments.Length || candidate.GetParameters().Length != further + 1)
                    continue;
                MethodInfo method = arguments.Length == 0 ? candidate : candidate.MakeGenericMethod(arguments);
                ParameterInfo[] its = method.GetParameters();
                if (its[0].ParameterType.GetGenericArguments() is [var source] && source == elementType
                    && its.Skip(1).Select(p => p.ParameterType).SequenceEqual(parameters.TakeLast(further)))
                    return method;
            }

            return null;
        }

        private static Type DelegateOf(Type type) =>
            type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Expression<>) ? type.GetGenericArguments()[0] : type;
    }
}
