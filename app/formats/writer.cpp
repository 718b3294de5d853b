#include "app/formats/writer.h"

#include "app/formats/npy_header.h"
#include "app/formats/number.h"
#include "app/formats/output_file.h"
#include "app/formats/slots.h"

#include <iterator>
#include <vector>

#include <fmt/format.h>

namespace upsweep::app {

struct ArrayWriter::State {
    std::unique_ptr<OutputFile> file;
    Format format;
    ElementType type;
    std::uint64_t count;
    std::vector<Slot> slots;  ///< For the text formats.
    char separator;
    std::uint64_t written = 0;

    Result<void> write_header();
    Result<void> write_rows(std::span<const std::byte> elements);
    Result<void> write_lines(std::span<const std::byte> elements);
};

Result<void> ArrayWriter::State::write_header() {
    std::string header;
    if (format == Format::npy) header = make_npy_header(type, count);
    if (format == Format::csv) {
        for (const Slot& slot : slots)
            header += (header.empty() ? "" : std::string(1, separator)) + slot.name;
        header += '\n';
    }
    return file->write(std::as_bytes(std::span(header)));
}

/// The elements without the padding after each.
Result<void> ArrayWriter::State::write_rows(std::span<const std::byte> elements) {
    for (std::size_t at = 0; at < elements.size(); at += type.stride) {
        if (auto ok = file->write(elements.subspan(at, type.size)); !ok) return ok;
    }
    return {};
}

Result<void> ArrayWriter::State::write_lines(std::span<const std::byte> elements) {
    fmt::memory_buffer line;
    for (std::size_t at = 0; at < elements.size(); at += type.stride) {
        line.clear();
        for (const Slot& slot : slots) {
            if (line.size() > 0) line.push_back(separator);
            append_number(line, slot.scalar, elements.data() + at + slot.offset);
        }
        line.push_back('\n');
        if (auto ok = file->write(std::as_bytes(std::span(line.data(), line.size()))); !ok) return ok;
    }
    return {};
}

Result<ArrayWriter> ArrayWriter::create(const std::string& path, Format format, const ElementType& type,
                                        std::uint64_t count) {
    std::vector<Slot> slots;
    if (format == Format::text || format == Format::csv) {
        auto found = slots_of(type);
        if (!found) return tl::unexpected(std::move(found.error()));
        slots = std::move(*found);
    }
    auto file = OutputFile::create(path);
    if (!file) return tl::unexpected(std::move(file.error()));
    const char separator = format == Format::csv ? csv_delimiter(path) : ',';
    auto state =
        std::make_unique<State>(State{std::move(*file), format, type, count, std::move(slots), separator});
    if (auto ok = state->write_header(); !ok) return tl::unexpected(std::move(ok.error()));
    return ArrayWriter(std::move(state));
}

ArrayWriter::ArrayWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
ArrayWriter::ArrayWriter(ArrayWriter&&) noexcept = default;
ArrayWriter& ArrayWriter::operator=(ArrayWriter&&) noexcept = default;
ArrayWriter::~ArrayWriter() = default;

Result<void> ArrayWriter::write(std::span<const std::byte> elements) {
    State& state = *state_;
    const std::size_t stride = state.type.stride;
    if (elements.size() % stride != 0 || elements.size() / stride > state.count - state.written) {
        return fail(
            ErrorCode::invalid_argument,
            fmt::format(
                "{} bytes were given to write to {}, which takes whole elements of {} bytes and has room for "
                "{} more of {}: write as many as were announced.",
                elements.size(), state.file->name(), stride, state.count - state.written, state.count));
    }
    state.written += elements.size() / stride;
    if (!state.slots.empty()) return state.write_lines(elements);
    const bool is_padded =
        state.format == Format::npy && !state.type.is_struct() && state.type.size != stride;
    return is_padded ? state.write_rows(elements) : state.file->write(elements);
}

Result<void> ArrayWriter::finish() {
    State& state = *state_;
    if (state.written != state.count) {
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("{} got {} of the {} elements that were announced: write the rest before the end.",
                        state.file->name(), state.written, state.count));
    }
    return state.file->commit();
}

}  // namespace upsweep::app
