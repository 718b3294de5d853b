// Plans of random requests on random devices: nothing wraps, overlaps, exceeds a limit or is left out.
#include "tests/core/holds.h"
#include "tests/core/plan_check.h"
#include "tests/core/random_requests.h"

namespace upsweep::test {
namespace {

bool is_sentence(const std::string& text) {
    return text.size() > 20 && text.back() == '.' &&
           (std::isupper(static_cast<unsigned char>(text[0])) != 0 ||
            std::isdigit(static_cast<unsigned char>(text[0])) != 0);
}

TEST(PlanProperties, EveryPlanIsSoundAndEveryRefusalIsASentence) {
    int planned = 0;
    int refused = 0;
    EXPECT_TRUE(holds(
        [&] {
            const Request request = arbitrary_request();
            RC_TAG(std::string(to_string(request.desc.strategy)));
            const auto plan = plan_scan(request.desc, request.caps);
            if (!plan) {
                ++refused;
                RC_ASSERT(is_sentence(plan.error().message));
                RC_ASSERT(plan.error().code == ErrorCode::invalid_argument ||
                          plan.error().code == ErrorCode::unsupported ||
                          plan.error().code == ErrorCode::limit_exceeded);
                return;
            }
            ++planned;
            const std::string fault = fault_in(*plan, request.desc, request.caps);
            if (!fault.empty()) {
                std::ostringstream device;
                rc::show(request, device);
                RC_FAIL(fault + device.str());
            }
        },
        2000));
    EXPECT_GT(planned, refused / 2) << "most requests should be possible, or this has checked little";
}

TEST(PlanProperties, EqualRequestsHaveEqualPlans) {
    EXPECT_TRUE(holds([] {
        const Request request = arbitrary_request();
        const Request copy = request;
        const auto first = plan_scan(request.desc, request.caps);
        const auto second = plan_scan(copy.desc, copy.caps);
        RC_ASSERT(first.has_value() == second.has_value());
        if (!first) {
            RC_ASSERT(first.error().message == second.error().message);
            return;
        }
        RC_ASSERT(*first == *second);
        RC_ASSERT(to_string(*first) == to_string(*second));
    }));
}

// C39: the scratch for fewer elements is never larger.
TEST(PlanProperties, TheScratchGrowsWithTheCount) {
    EXPECT_TRUE(holds(
        [] {
            Request request = arbitrary_request();
            const auto more = plan_scan(request.desc, request.caps);
            if (!more) return;
            const auto fewer_count = *rc::gen::inRange<std::uint64_t>(0, request.desc.count + 1);
            request.desc.count -=
                std::min(request.desc.count, *rc::gen::element(fewer_count, std::uint64_t{1}));
            const auto fewer = plan_scan(request.desc, request.caps);
            RC_ASSERT(fewer.has_value());
            RC_ASSERT(fewer->scratch_bytes <= more->scratch_bytes);
        },
        500));
}

// A recording may have any count up to the plan's.
TEST(PlanProperties, AnyCountIsSharedOutToTheChunks) {
    EXPECT_TRUE(holds([] {
        const Request request = arbitrary_request();
        const auto plan = plan_scan(request.desc, request.caps);
        if (!plan) return;
        const auto count = *rc::gen::inRange<std::uint64_t>(0, request.desc.count + 1);
        std::uint64_t covered = 0;
        for (const Step& step : plan->steps) {
            const Params params = params_for(step, count);
            RC_ASSERT(params.base == step.params.base);
            RC_ASSERT(params.limit == step.params.limit);
            RC_ASSERT(params.level == step.params.level);
            RC_ASSERT(params.count <= step.params.count);
            RC_ASSERT(params_for(step, request.desc.count) == step.params);
            if (!step.counts_elements) RC_ASSERT(params.count == step.params.count);
            const bool scans = !step.spec.partials && step.spec.kernel != "add_back" &&
                               step.spec.kernel != "scan_rest" && step.spec.kernel != "reduce_tiles";
            if (scans) covered += params.count;
        }
        RC_ASSERT(covered == count);
    }));
}

TEST(PlanProperties, TheLayoutOfTheBuffersChangesOnlyTheBindingsOfElements) {
    EXPECT_TRUE(holds([] {
        const Request request = arbitrary_request();
        const auto plan = plan_scan(request.desc, request.caps);
        if (!plan) return;
        for (const Step& step : plan->steps) {
            RC_ASSERT(step_for(step, {true, false}) == step);
            const Step scalar = step_for(step, {false, false});
            const bool elements = std::any_of(step.regions.begin(), step.regions.end(), [](const Region& r) {
                return r.slot == Slot::input || r.slot == Slot::output;
            });
            RC_ASSERT(scalar.spec.vector_io == !(elements && step.spec.vec == 4));
            RC_ASSERT(scalar.regions == step.regions);
            for (const BindingDecl& binding : scalar.spec.bindings)
                RC_ASSERT(!elements || binding.type != "array<V>");
            // In place there is no src where there is a dst to read from.
            const Step same = step_for(step, {true, true});
            RC_ASSERT(same.regions.size() == same.spec.bindings.size());
            bool src = false;
            bool dst = false;
            for (const BindingDecl& binding : same.spec.bindings) {
                src = src || binding.name == "src";
                dst = dst || binding.name == "dst";
            }
            RC_ASSERT(!(src && dst));
            RC_ASSERT(src == (step.spec.kernel == "reduce_tiles"));
            RC_ASSERT(same.spec.in_place == dst);
            RC_ASSERT(step_for(same, {true, true}) == same);
        }
    }));
}

TEST(PlanProperties, FoldedGridsHoldAllGroupsWithinTheLimit) {
    EXPECT_TRUE(holds(
        [] {
            const std::uint32_t limit =
                *rc::gen::element(1U, 2U, 3U, 5U, 10U, 100U, 65535U, *rc::gen::inRange(1U, 70000U));
            const std::uint64_t groups = arbitrary_count(std::uint64_t{1} << 34U);
            const auto grid = fold_grid(groups, limit);
            const auto cube = static_cast<unsigned __int128>(limit) * limit * limit;
            if (!grid) {
                // A grid is folded upwards, and its last index must still be a u32.
                RC_ASSERT(groups > cube || groups > 0xF0000000U);
                RC_ASSERT(grid.error().code == ErrorCode::limit_exceeded);
                RC_ASSERT(grid.error().message.find(std::to_string(groups)) != std::string::npos);
                RC_ASSERT(grid.error().message.find(std::to_string(limit)) != std::string::npos);
                return;
            }
            RC_ASSERT(grid->groups() >= groups);
            RC_ASSERT(grid->groups() >= 1U);
            RC_ASSERT(std::max({grid->x, grid->y, grid->z}) <= limit);
            // As few dimensions as possible, and never a whole row in vain.
            RC_ASSERT((grid->y == 1) == (groups <= limit));
            RC_ASSERT((grid->z == 1) == (groups <= std::uint64_t{limit} * limit));
            RC_ASSERT(grid->groups() - std::max<std::uint64_t>(groups, 1) <
                      std::uint64_t{grid->y} * grid->z + std::uint64_t{grid->x} * grid->z);
        },
        2000));
}

// Kernels take the product of the sides in 32 bits, so what folding adds must not wrap it.
TEST(PlanProperties, TheLargestGridDoesNotWrapItsIndex) {
    for (const std::uint64_t groups : {0xFFFFFFFFU, 0xFFFFFFFEU, 0xFFFF0000U}) {
        const auto grid = fold_grid(groups, 65535);
        EXPECT_TRUE(!grid || grid->groups() <= 0xFFFFFFFFU) << groups;
    }
}

}  // namespace
}  // namespace upsweep::test
