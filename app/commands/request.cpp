#include "app/commands/request.h"

#include "app/commands/element.h"
#include "app/formats/format.h"
#include "app/formats/input.h"
#include "upsweep/core/operator_code.h"
#include "upsweep/core/user_wgsl.h"

#include <filesystem>
#include <span>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

template <class T>
Outcome<T> or_wrong_usage(Result<T> result) {
    if (!result) return wrong_usage(result.error().message);
    return std::move(*result);
}

// The file's name is how messages call the operator; it also stands in a comment of the kernels.
std::string name_of_file(const std::string& path) {
    std::string name = std::filesystem::path(path).filename().string();
    for (char& c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '.' || c == '-';
        if (!plain) c = '_';
    }
    return name.empty() ? "custom" : name;
}

Outcome<Operator> requested_operator(const RequestOptions& options) {
    if (options.op_file.empty()) {
        if (!options.identity.empty() || options.commutative)
            return wrong_usage(
                "--identity and --commutative tell about the operator of --op-file; give that too.");
        return or_wrong_usage(Operator::parse(options.op.empty() ? "plus" : options.op));
    }
    if (!options.op.empty()) return wrong_usage("There is one operator: give --op or --op-file, not both.");
    auto wgsl = read_text_file(options.op_file);
    if (!wgsl) return tl::unexpected(wgsl.error());
    CustomOperator parts;
    parts.name = name_of_file(options.op_file);
    parts.wgsl = std::move(*wgsl);
    parts.identity = options.identity;
    parts.commutative = options.commutative;
    auto op = Operator::custom(std::move(parts));
    if (!op) return tl::unexpected(op.error());
    return std::move(*op);
}

std::string strategy_name(const RequestOptions& options) {
    return options.strategy.empty() ? "automatic" : options.strategy;
}

// What every description has of how to compute it.
template <class Desc>
Outcome<void> set_geometry(Desc& desc, const RequestOptions& options) {
    desc.geometry.block = options.block;
    desc.geometry.rows = options.rows;
    desc.geometry.groups = options.groups;
    auto block_scan = or_wrong_usage(parse_block_scan(options.block_scan));
    if (!block_scan) return tl::unexpected(block_scan.error());
    desc.block_scan = *block_scan;
    return {};
}

// The type, the initial value in it, and whether the operator goes with it.
template <class Desc>
Outcome<void> set_elements(Desc& desc, const Operator& op, const RequestOptions& options,
                           const ElementType& type) {
    desc.type = type;
    if (!options.initial.empty()) {
        auto initial = parse_element(options.initial, type);
        if (!initial) return wrong_usage("--init: " + initial.error().message);
        desc.initial = std::move(*initial);
    }
    if (auto code = operator_code(op, type); !code) return tl::unexpected(code.error());
    return {};
}

Operator operator_of(const ReduceDesc& desc) {
    return desc.form == ReduceForm::value ? desc.op : Operator::arg(desc.form == ReduceForm::arg_max);
}

std::optional<ReduceForm> parse_arg_form(std::string_view name) {
    if (name == "arg_min" || name == "argmin") return ReduceForm::arg_min;
    if (name == "arg_max" || name == "argmax") return ReduceForm::arg_max;
    return std::nullopt;
}

}  // namespace

const char* to_string(ScanKind kind) {
    return kind == ScanKind::inclusive ? "inclusive" : "exclusive";
}

Outcome<std::string> read_text_file(const std::string& path) {
    constexpr std::size_t most = 1 << 20;
    auto source = open_source(path);
    if (!source) return tl::unexpected(source.error());
    Input input(std::move(*source), path);
    std::string text(most + 1, '\0');
    auto size = input.read(std::as_writable_bytes(std::span(text)));
    if (!size) return tl::unexpected(size.error());
    if (*size > most)
        return failed(fmt::format(
            "{} is larger than a megabyte, which no text of WGSL or JSON here should be.", input.name()));
    text.resize(*size);
    return text;
}

Outcome<std::optional<ElementType>> requested_type(const RequestOptions& options) {
    if (options.struct_file.empty()) {
        if (options.type.empty()) return std::nullopt;
        auto type = ElementType::parse(options.type);
        if (type) return std::move(*type);
        return wrong_usage(type.error().message + " A struct needs --struct with the file that declares it.");
    }
    if (options.type.empty())
        return wrong_usage("--struct gives a file of declarations; name the struct in it with --type.");
    auto declaration = read_text_file(options.struct_file);
    if (!declaration) return tl::unexpected(declaration.error());
    auto type = ElementType::structure(options.type, std::move(*declaration));
    if (!type) return tl::unexpected(type.error());
    return std::move(*type);
}

Outcome<ScanDesc> requested_scan_method(const RequestOptions& options) {
    ScanDesc desc;
    if (options.inclusive && options.exclusive)
        return wrong_usage("A scan is inclusive or exclusive: give one of the two.");
    desc.kind = options.inclusive ? ScanKind::inclusive : ScanKind::exclusive;
    auto strategy = or_wrong_usage(parse_strategy(strategy_name(options)));
    if (!strategy) return tl::unexpected(strategy.error());
    desc.strategy = *strategy;
    desc.deterministic = options.deterministic;
    if (auto ok = set_geometry(desc, options); !ok) return tl::unexpected(ok.error());
    auto op = requested_operator(options);
    if (!op) return tl::unexpected(op.error());
    desc.op = std::move(*op);
    return desc;
}

Outcome<ScanDesc> requested_scan(ScanDesc desc, const RequestOptions& options, const ElementType& type) {
    if (auto ok = set_elements(desc, desc.op, options, type); !ok) return tl::unexpected(ok.error());
    if (desc.kind == ScanKind::exclusive && !desc.op.has_identity() && desc.initial.empty()) {
        return wrong_usage(fmt::format(
            "The operator {} has no identity, so an exclusive scan has nothing to begin with: give "
            "--identity, --init or --inclusive.",
            app::quoted(desc.op.name())));
    }
    return desc;
}

Outcome<ReduceDesc> requested_reduce_method(const RequestOptions& options) {
    ReduceDesc desc;
    auto strategy = or_wrong_usage(parse_reduce_strategy(strategy_name(options)));
    if (!strategy) return tl::unexpected(strategy.error());
    desc.strategy = *strategy;
    if (auto ok = set_geometry(desc, options); !ok) return tl::unexpected(ok.error());
    RequestOptions of_operator = options;
    if (const auto form = parse_arg_form(options.op)) {
        if (!options.initial.empty())
            return wrong_usage("--init has no index, so it does not go with arg_min and arg_max.");
        desc.form = *form;
        of_operator.op = "plus";  // It is not used, and the other options are checked beside it.
    }
    auto op = requested_operator(of_operator);
    if (!op) return tl::unexpected(op.error());
    desc.op = std::move(*op);
    return desc;
}

Outcome<ReduceDesc> requested_reduce(ReduceDesc desc, const RequestOptions& options,
                                     const ElementType& type) {
    if (auto ok = set_elements(desc, operator_of(desc), options, type); !ok)
        return tl::unexpected(ok.error());
    return desc;
}

Outcome<CompactDesc> requested_compact(const RequestOptions& options) {
    CompactDesc desc;
    if (options.where.empty())
        return wrong_usage("--where is needed: a WGSL expression in x, the element, and i, its index.");
    if (auto ok = check_user_expression(options.where, "--where"); !ok)
        return wrong_usage(ok.error().message);
    // The expression begins on the first line, so that its lines are those of the text.
    desc.keep = "fn keep(x: T, i: u32) -> bool { return " + options.where + "; }";
    desc.elements = !options.indices;
    desc.indices = options.indices;
    auto strategy = or_wrong_usage(parse_compact_strategy(strategy_name(options)));
    if (!strategy) return tl::unexpected(strategy.error());
    desc.strategy = *strategy;
    if (auto ok = set_geometry(desc, options); !ok) return tl::unexpected(ok.error());
    return desc;
}

PartitionDesc partition_by(const CompactDesc& compact) {
    PartitionDesc desc;
    desc.type = compact.type;
    desc.condition = compact.keep;
    desc.count = compact.count;
    desc.count_on_gpu = compact.count_on_gpu;
    desc.first_index = compact.first_index;
    desc.strategy = compact.strategy;
    desc.block_scan = compact.block_scan;
    desc.geometry = compact.geometry;
    return desc;
}

Error error_of_condition(Error error) {
    // The library calls the condition so in its messages.
    constexpr std::string_view own_name = "predicate, line ";
    if (error.message.starts_with(own_name)) error.message.replace(0, own_name.size(), "--where, line ");
    return error;
}

std::string operator_name(const ReduceDesc& desc) {
    return operator_of(desc).name();
}

}  // namespace upsweep::app
