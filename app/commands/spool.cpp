#include "app/commands/spool.h"

#include "app/formats/descriptor.h"

#include <algorithm>
#include <cerrno>
#include <vector>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

tl::unexpected<Failure> spool_failure(int error) {
    return failed(fmt::format(
        "The results cannot be kept in a temporary file until they can be written ({}): make room in the "
        "folder for temporary files, or take a --chunk that holds all the data.",
        reason(error)));
}

}  // namespace

Outcome<void> Spool::write(ConstBytes elements) {
    if (elements.empty()) return {};
    if (!file_) file_.reset(std::tmpfile());
    if (!file_ || std::fwrite(elements.data(), 1, elements.size(), file_.get()) != elements.size())
        return spool_failure(errno);
    bytes_ += elements.size();
    return {};
}

Outcome<void> Spool::replay(std::size_t stride, const std::function<Outcome<void>(ConstBytes piece)>& take) {
    if (empty()) return {};
    if (std::fflush(file_.get()) != 0) return spool_failure(errno);
    std::rewind(file_.get());
    constexpr std::size_t piece_bytes = 1 << 20;
    std::vector<std::byte> piece(std::max<std::size_t>(piece_bytes / stride, 1) * stride);
    for (std::uint64_t left = bytes_; left > 0;) {
        const std::size_t size = std::min<std::uint64_t>(left, piece.size());
        if (std::fread(piece.data(), 1, size, file_.get()) != size) return spool_failure(errno);
        if (auto ok = take(ConstBytes(piece).first(size)); !ok) return ok;
        left -= size;
    }
    return {};
}

}  // namespace upsweep::app
