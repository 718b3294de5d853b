// Prints the plans and the WGSL of a fixed list of requests. The text must be the same wherever it is
// planned: a page replays what the planner in WebAssembly says.
#include "upsweep/reduce/reduce.h"
#include "upsweep/scan/scan.h"

#include <cstdio>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace upsweep;

struct Device {
    const char* name;
    DeviceCaps caps;
};

std::vector<Device> devices() {
    DeviceCaps subgroups;
    subgroups.subgroups = subgroups.immediates = subgroups.shader_f16 = true;
    subgroups.subgroup_min_size = subgroups.subgroup_max_size = 32;
    DeviceCaps naga = subgroups;
    naga.dialect = Dialect::naga;
    naga.subgroup_min_size = naga.subgroup_max_size = 0;
    DeviceCaps large = subgroups;
    large.kind = AdapterKind::discrete;
    large.max_buffer_size = std::uint64_t{1} << 40U;
    large.max_storage_binding_size = 2147483644;
    large.max_invocations_per_workgroup = large.max_workgroup_size_x = 1024;
    large.max_workgroup_storage = 49152;
    return {{"minimum", {}}, {"subgroups", subgroups}, {"naga", naga}, {"large", large}};
}

void print(const std::string& request, const Result<Plan>& plan) {
    std::printf("== %s\n", request.c_str());
    if (!plan) {
        std::printf("%s: %s\n", to_string(plan.error().code), plan.error().message.c_str());
        return;
    }
    std::fputs(to_string(*plan).c_str(), stdout);
    static std::set<std::string> printed;
    for (const Step& step : plan->steps) {
        if (!printed.insert(step.spec.key()).second) continue;
        const auto module = expand(step.spec);
        std::puts(module ? module->wgsl.c_str() : module.error().message.c_str());
    }
}

void print_scan(const Device& device, const ScanDesc& desc) {
    print(std::string(device.name) + ": scan of " + desc.type.name + " with " + desc.op.name() + ", " +
              to_string(desc.strategy) + ", " + to_string(desc.block_scan) + ", " +
              (desc.kind == ScanKind::inclusive ? "inclusive, " : "exclusive, ") + std::to_string(desc.count),
          plan_scan(desc, device.caps));
}

void print_reduce(const Device& device, const ReduceDesc& desc) {
    print(std::string(device.name) + ": reduce of " + desc.type.name + " with " + desc.op.name() + ", form " +
              std::to_string(static_cast<int>(desc.form)) + ", " + to_string(desc.strategy) + ", " +
              std::to_string(desc.count),
          plan_reduce(desc, device.caps));
}

void print_operators(const Device& device) {
    for (const char* name : {"u32", "i32", "f32", "f16", "u64", "i64", "vec2<f32>", "vec3<u32>"}) {
        const ElementType type = *ElementType::parse(name);
        for (const std::string& op : Operator::names()) {
            print_scan(device, {.type = type, .op = *Operator::parse(op), .count = 1'000'000});
            print_reduce(device, {.type = type, .op = *Operator::parse(op), .count = 1'000'000});
        }
        print_reduce(device, {.type = type, .form = ReduceForm::arg_min, .count = 1'000'000});
    }
}

void print_strategies(const Device& device) {
    const ElementType mat = *ElementType::structure("Mat", "struct Mat { a: vec2<f32>, b: vec2<f32> }");
    const Operator product = *Operator::custom({.name = "product", .wgsl = R"(
        fn combine(x: Mat, y: Mat) -> Mat {
            return Mat(x.a.x * y.a + x.a.y * y.b, x.b.x * y.a + x.b.y * y.b);
        })"});
    for (const std::uint64_t count : {0ULL, 1000ULL, 1'000'000ULL, 5'000'000'000ULL}) {
        const bool on_gpu = count < 1'000'000'000;
        for (const auto strategy :
             {Strategy::automatic, Strategy::single_block, Strategy::multi_level, Strategy::reduce_then_scan,
              Strategy::lookback, Strategy::lookback_then_rest, Strategy::serial}) {
            if (strategy == Strategy::serial && count > 1'000'000) continue;  // Thousands of steps.
            for (const auto block : {BlockScan::automatic, BlockScan::hillis_steele, BlockScan::blelloch,
                                     BlockScan::blelloch_padded, BlockScan::subgroup}) {
                print_scan(device, {.count = count, .strategy = strategy, .block_scan = block});
                print_scan(device, {.type = mat,
                                    .op = product,
                                    .kind = ScanKind::inclusive,
                                    .count = count,
                                    .count_on_gpu = on_gpu,
                                    .strategy = strategy,
                                    .block_scan = block});
            }
        }
        print_reduce(device, {.type = mat, .op = product, .count = count, .count_on_gpu = on_gpu});
    }
}

}  // namespace

int main() {
    for (const Device& device : devices()) {
        print_operators(device);
        print_strategies(device);
    }
}
