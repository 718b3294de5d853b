#include "app/commands/reduce_file.h"

#include "app/commands/element.h"
#include "app/commands/request.h"
#include "app/formats/bytes.h"
#include "app/formats/format.h"

#include <cstring>
#include <memory>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

// Goes through the chunks in order. Each form has its own way to go on from one to the next, and to check.
class Folder {
  public:
    virtual ~Folder() = default;
    virtual Result<void> fold(ConstBytes chunk) = 0;
    virtual Result<void> verify(ConstBytes chunk) = 0;
    /// Fills the value and the index.
    virtual Outcome<void> finish(ReduceReport& report, bool verify) = 0;
    [[nodiscard]] virtual std::uint64_t not_comparable() const { return 0; }
};

// Reduces one chunk; `output` gets plan.output_bytes.
Result<void> reduce_on(DeviceRun& device, const ReduceDesc& desc, ConstBytes input,
                       std::vector<std::byte>& output) {
    auto plan = plan_reduce(desc, device.caps());
    if (!plan) return tl::unexpected(plan.error());
    if (auto ok = device.run(*plan, input); !ok) return ok;
    output.resize(plan->output_bytes);
    return device.read(Slot::output, output);
}

// The result so far is the initial value of the next chunk.
class ValueFolder : public Folder {
  public:
    ValueFolder(const ReduceDesc& desc, FileRun& run) : desc_(desc), run_(run) {
        ScanDesc scan;
        scan.type = desc.type;
        scan.op = desc.op;
        scan.kind = ScanKind::inclusive;
        scan.initial = desc.initial;
        verifier_ = run.verifier_of(scan);
    }

    Result<void> fold(ConstBytes chunk) override {
        desc_.count = chunk.size() / desc_.type.stride;
        any_ = true;
        return reduce_on(run_.device(), desc_, chunk, desc_.initial);
    }
    Result<void> verify(ConstBytes chunk) override { return verifier_->pass(chunk); }

    Outcome<void> finish(ReduceReport& report, bool verify) override {
        if (!any_ && desc_.initial.empty() && !desc_.op.has_identity()) {
            return failed(
                fmt::format("There are no elements, and the operator {} has no identity, so that there is no "
                            "result: give "
                            "--identity or --init.",
                            app::quoted(desc_.op.name())));
        }
        if (!any_) {
            // The identity of an operator may be known to the device alone.
            if (auto ok = fold({}); !ok) return tl::unexpected(ok.error());
        }
        if (verify) {
            if (auto ok = verifier_->check_total(desc_.initial, run_.device().depth()); !ok)
                return tl::unexpected(ok.error());
        }
        report.value = desc_.initial;
        return {};
    }
    [[nodiscard]] std::uint64_t not_comparable() const override { return verifier_->not_comparable(); }

  private:
    ReduceDesc desc_;
    FileRun& run_;
    std::unique_ptr<Verifier> verifier_;
    bool any_ = false;
};

// A chunk gives its best element and the index in it; the best of these is found here.
class ArgFolder : public Folder {
  public:
    ArgFolder(const ReduceDesc& desc, FileRun& run, const CpuCombine& combine)
        : desc_(desc), run_(run), best_(combine, desc.type.stride), serial_(combine, desc.type.stride) {}

    Result<void> fold(ConstBytes chunk) override {
        desc_.count = chunk.size() / desc_.type.stride;
        std::vector<std::byte> found;
        if (auto ok = reduce_on(run_.device(), desc_, chunk, found); !ok) return ok;
        // struct Found { value: T, index: u32 }, with the index at the next multiple of four.
        const std::size_t index_at = (desc_.type.size + 3) / 4 * 4;
        best_.show(ConstBytes(found).first(desc_.type.stride),
                   done_ + load<std::uint32_t>(found.data() + index_at));
        done_ += desc_.count;
        return {};
    }

    Result<void> verify(ConstBytes chunk) override {
        for (std::size_t at = 0; at < chunk.size(); at += desc_.type.stride)
            serial_.show(chunk.subspan(at, desc_.type.stride), shown_++);
        return {};
    }

    Outcome<void> finish(ReduceReport& report, bool verify) override {
        if (best_.value().empty())
            return failed(fmt::format("There are no elements, so {} has no result.", operator_name(desc_)));
        if (verify && (best_.index() != serial_.index() || best_.value() != serial_.value())) {
            const auto text = [&](const ArgSearch& search) {
                return fmt::format("{} at {}", element_text(desc_.type, search.value()), search.index());
            };
            return failed(fmt::format("The result is wrong: it is {}, and the serial search gives {}.",
                                      text(best_), text(serial_)));
        }
        report.value = best_.value();
        report.index = best_.index();
        return {};
    }

  private:
    ReduceDesc desc_;
    FileRun& run_;
    ArgSearch best_, serial_;
    std::uint64_t done_ = 0, shown_ = 0;
};

Outcome<std::unique_ptr<Folder>> folder_of(const ReduceDesc& desc, FileRun& run) {
    if (desc.form == ReduceForm::value) return std::make_unique<ValueFolder>(desc, run);
    const Operator order = desc.form == ReduceForm::arg_max ? Operator::max() : Operator::min();
    auto combine = order.cpu(desc.type);
    if (!combine) return tl::unexpected(combine.error());
    return std::make_unique<ArgFolder>(desc, run, *combine);
}

}  // namespace

void ArgSearch::show(ConstBytes element, std::uint64_t index) {
    if (!value_.empty()) {
        // What stays the same is as good as what came later.
        combine_(value_.data(), element.data(), scratch_.data());
        if (scratch_ == value_) return;
    }
    value_.assign(element.begin(), element.end());
    index_ = index;
}

Outcome<ReduceReport> reduce_file(ArrayReader& reader, const ReduceDesc& desc, const Gpu& gpu,
                                  const RunSettings& settings) {
    FileRun run(reader, gpu, settings);
    auto folder = folder_of(desc, run);
    if (!folder) return tl::unexpected(folder.error());
    ChunkReader chunks(run.reading(), desc.type.stride, run.capacity());
    while (chunks.more()) {
        const auto chunk = chunks.next();
        if (!chunk) return tl::unexpected(chunk.error());
        if (chunk->empty()) break;
        if (auto ok = (*folder)->fold(*chunk); !ok) return tl::unexpected(ok.error());
        if (settings.verify) {
            if (auto ok = (*folder)->verify(*chunk); !ok) return tl::unexpected(ok.error());
        }
        run.count(chunk->size(), 0);
    }
    ReduceReport report;
    if (auto ok = (*folder)->finish(report, settings.verify); !ok) return tl::unexpected(ok.error());
    auto finished = run.finish((*folder)->not_comparable());
    if (!finished) return tl::unexpected(finished.error());
    report.run = std::move(*finished);
    return report;
}

}  // namespace upsweep::app
