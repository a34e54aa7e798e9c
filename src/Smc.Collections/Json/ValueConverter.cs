using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Smc.Collections.Json;

/// <summary>Chooses what writes and reads values of a column's type, without reflection for all types that need none.</summary>
internal static class ValueConverter
{
    private static readonly JsonConverter[] s_builtIn =
    [
        JsonMetadataServices.BooleanConverter, JsonMetadataServices.CharConverter, JsonMetadataServices.SByteConverter, JsonMetadataServices.ByteConverter,
        JsonMetadataServices.Int16Converter, JsonMetadataServices.UInt16Converter, JsonMetadataServices.Int32Converter, JsonMetadataServices.UInt32Converter,
        JsonMetadataServices.Int64Converter, JsonMetadataServices.UInt64Converter, JsonMetadataServices.Int128Converter, JsonMetadataServices.UInt128Converter,
        JsonMetadataServices.HalfConverter, JsonMetadataServices.SingleConverter, JsonMetadataServices.DoubleConverter, JsonMetadataServices.DecimalConverter,
        JsonMetadataServices.StringConverter, JsonMetadataServices.GuidConverter, JsonMetadataServices.DateOnlyConverter, JsonMetadataServices.TimeOnlyConverter,
        JsonMetadataServices.TimeSpanConverter, JsonMetadataServices.DateTimeConverter, JsonMetadataServices.DateTimeOffsetConverter, JsonMetadataServices.ReadOnlyMemoryByteConverter,
    ];

    /// <summary>The caller's own converter for the type, the built-in one, or the one that the options' metadata name.</summary>
    public static JsonConverter<TValue> For<TValue>(JsonSerializerOptions options)
    {
        foreach (JsonConverter own in options.Converters)
        {
            if (own.CanConvert(typeof(TValue)))
                return (JsonConverter<TValue>)options.GetTypeInfo(typeof(TValue)).Converter;
        }

        // Only the serializer itself can ask the converters of numbers to heed NumberHandling. Metadata that know no numbers cannot say how either.
        if (BuiltIn<TValue>.IsNumber && options.NumberHandling != JsonNumberHandling.Strict && options.TryGetTypeInfo(typeof(TValue), out _))
            return NumberConverter<TValue>.Instance;
        return BuiltIn<TValue>.Converter ?? (JsonConverter<TValue>)options.GetTypeInfo(typeof(TValue)).Converter;
    }

    private static class BuiltIn<TValue>
    {
        public static readonly JsonConverter<TValue>? Converter = typeof(TValue).IsEnum ? new EnumConverter<TValue>() : s_builtIn.OfType<JsonConverter<TValue>>().FirstOrDefault();

        public static readonly bool IsNumber = typeof(TValue) == typeof(decimal) || typeof(TValue) == typeof(Half) || typeof(TValue) == typeof(Int128) || typeof(TValue) == typeof(UInt128)
            || (typeof(TValue).IsPrimitive && typeof(TValue) != typeof(bool) && typeof(TValue) != typeof(char));
    }

    /// <summary>A number as the options' <see cref="JsonSerializerOptions.NumberHandling"/> wants it.</summary>
    private sealed class NumberConverter<TNumber> : JsonConverter<TNumber>
    {
        public static NumberConverter<TNumber> Instance { get; } = new();

        public override TNumber? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => JsonSerializer.Deserialize(ref reader, InfoOf(options));

        public override void Write(Utf8JsonWriter writer, TNumber value, JsonSerializerOptions options) => JsonSerializer.Serialize(writer, value, InfoOf(options));

        private static JsonTypeInfo<TNumber> InfoOf(JsonSerializerOptions options) => (JsonTypeInfo<TNumber>)options.GetTypeInfo(typeof(TNumber));
    }

    /// <summary>An enum as its integer, which is how System.Text.Json writes it by itself.</summary>
    private sealed class EnumConverter<TEnum> : JsonConverter<TEnum>
    {
        private static readonly TypeCode s_code = Type.GetTypeCode(typeof(TEnum));

        public override TEnum Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => s_code switch
        {
            TypeCode.SByte => From(reader.GetSByte()),
            TypeCode.Byte => From(reader.GetByte()),
            TypeCode.Int16 => From(reader.GetInt16()),
            TypeCode.UInt16 => From(reader.GetUInt16()),
            TypeCode.Int32 => From(reader.GetInt32()),
            TypeCode.UInt32 => From(reader.GetUInt32()),
            TypeCode.Int64 => From(reader.GetInt64()),
            _ => From(reader.GetUInt64()),
        };

        public override void Write(Utf8JsonWriter writer, TEnum value, JsonSerializerOptions options)
        {
            switch (s_code)
            {
                case TypeCode.SByte: writer.WriteNumberValue(Unsafe.As<TEnum, sbyte>(ref value)); break;
                case TypeCode.Byte: writer.WriteNumberValue(Unsafe.As<TEnum, byte>(ref value)); break;
                case TypeCode.Int16: writer.WriteNumberValue(Unsafe.As<TEnum, short>(ref value)); break;
                case TypeCode.UInt16: writer.WriteNumberValue(Unsafe.As<TEnum, ushort>(ref value)); break;
                case TypeCode.Int32: writer.WriteNumberValue(Unsafe.As<TEnum, int>(ref value)); break;
                case TypeCode.UInt32: writer.WriteNumberValue(Unsafe.As<TEnum, uint>(ref value)); break;
                case TypeCode.Int64: writer.WriteNumberValue(Unsafe.As<TEnum, long>(ref value)); break;
                default: writer.WriteNumberValue(Unsafe.As<TEnum, ulong>(ref value)); break;
            }
        }

        private static TEnum From<TInteger>(TInteger value) => Unsafe.As<TInteger, TEnum>(ref value);
    }
}
