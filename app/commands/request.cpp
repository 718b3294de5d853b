#include "app/commands/request.h"

#include "app/commands/element.h"
#include "app/formats/format.h"
#include "app/formats/input.h"
#include "upsweep/core/operator_code.h"

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

Outcome<ScanDesc> requested_method(const RequestOptions& options) {
    ScanDesc desc;
    if (options.inclusive && options.exclusive)
        return wrong_usage("A scan is inclusive or exclusive: give one of the two.");
    desc.kind = options.inclusive ? ScanKind::inclusive : ScanKind::exclusive;
    desc.geometry.block = options.block;
    desc.geometry.rows = options.rows;
    desc.geometry.groups = options.groups;
    auto strategy = or_wrong_usage(parse_strategy(options.strategy));
    if (!strategy) return tl::unexpected(strategy.error());
    desc.strategy = *strategy;
    auto block_scan = or_wrong_usage(parse_block_scan(options.block_scan));
    if (!block_scan) return tl::unexpected(block_scan.error());
    desc.block_scan = *block_scan;
    auto op = requested_operator(options);
    if (!op) return tl::unexpected(op.error());
    desc.op = std::move(*op);
    return desc;
}

Outcome<ScanDesc> requested_scan(ScanDesc desc, const RequestOptions& options, const ElementType& type) {
    desc.type = type;
    if (!options.initial.empty()) {
        auto initial = parse_element(options.initial, type);
        if (!initial) return wrong_usage("--init: " + initial.error().message);
        desc.initial = std::move(*initial);
    }
    if (auto code = operator_code(desc.op, type); !code) return tl::unexpected(code.error());
    if (desc.kind == ScanKind::exclusive && !desc.op.has_identity() && desc.initial.empty()) {
        return wrong_usage(fmt::format(
            "The operator {} has no identity, so an exclusive scan has nothing to begin with: give "
            "--identity, --init or --inclusive.",
            app::quoted(desc.op.name())));
    }
    return desc;
}

}  // namespace upsweep::app
