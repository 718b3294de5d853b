#include "tests/gpu/launcher.h"

#include "tests/gpu/cpu_run.h"

#include <algorithm>
#include <array>
#include <random>

namespace upsweep::testing {

namespace {

constexpr std::uint64_t tail = 64;  // Poisoned elements behind the data.
constexpr std::byte poison{0xDE};

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

// Where the slices lie, in bytes of their buffers.
struct Layout {
    std::uint64_t input = 0, output = 0, count = 0, scratch = 0, bytes = 0;
};

struct Contents {
    std::vector<std::byte> input, output, count, scratch;
};

// Only bytes that carry data are compared; padding is anybody's.
std::vector<bool> data_bytes(const ElementType& type) {
    std::vector<bool> mask(type.stride, !type.is_struct());
    for (std::uint32_t byte = type.size; byte < type.stride && !type.is_struct(); ++byte) mask[byte] = false;
    for (const Member& member : type.members) {
        for (std::uint32_t byte = 0; byte < member.width * size_of(member.scalar); ++byte)
            mask[member.offset + byte] = true;
    }
    return mask;
}

void run_cpu(const Plan& plan, Contents& contents, const RunOptions& options) {
    std::vector<std::byte>& output = options.in_place ? contents.input : contents.output;
    const CpuBuffers buffers{contents.input, output, contents.count, contents.scratch};
    const auto ok = run_on_cpu(plan, buffers, options.other_count.value_or(plan.max_count));
    ASSERT_TRUE(ok) << ok.error().message;
    contents.output = output;
}

void run_gpu(const Gpu& device, const Plan& plan, Contents& contents, const RunOptions& options) {
    const std::uint64_t alignment = std::max(256U, device.caps().min_storage_offset_alignment);
    std::vector<std::byte> all;
    const auto place = [&](const std::vector<std::byte>& part) {
        all.resize(round_up(all.size(), alignment), poison);
        const std::uint64_t at = all.size();
        all.insert(all.end(), part.begin(), part.end());
        return at;
    };
    Slices slices;
    std::array<BufferHandle, 4> buffers;
    std::size_t made = 0;
    const auto upload = [&](const std::vector<std::byte>& part, std::uint64_t size) -> WGPUBuffer {
        WGPUBufferDescriptor desc = WGPU_BUFFER_DESCRIPTOR_INIT;
        desc.size = std::max<std::uint64_t>(round_up(size, 4), 4);
        desc.usage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;
        buffers.at(made) = BufferHandle(wgpuDeviceCreateBuffer(device.device(), &desc));
        EXPECT_TRUE(
            device.write(buffers.at(made).get(), 0, std::span(part).first(std::min(part.size(), desc.size))));
        return buffers.at(made++).get();
    };
    if (options.one_buffer) {
        place(std::vector<std::byte>(alignment, poison));  // So that no slice begins at 0.
        slices.input.offset = place(contents.input);
        slices.output.offset = options.in_place ? slices.input.offset : place(contents.output);
        slices.count.offset = place(contents.count);
        slices.scratch.offset = place(contents.scratch);
        all.resize(round_up(all.size(), alignment), poison);
        const WGPUBuffer buffer = upload(all, all.size());
        slices.input = {buffer, slices.input.offset, contents.input.size()};
        slices.output = {buffer, slices.output.offset, contents.output.size()};
        slices.count = {buffer, slices.count.offset, 4};
        slices.scratch = {buffer, slices.scratch.offset, contents.scratch.size()};
        if (plan.count_bytes == 0) slices.count = {};
        if (plan.scratch_bytes == 0) slices.scratch = {};
    } else {
        slices.input = {upload(contents.input, options.tight ? plan.input_bytes : contents.input.size())};
        slices.output =
            options.in_place
                ? slices.input
                : Slice{upload(contents.output, options.tight ? plan.output_bytes : contents.output.size())};
        if (plan.count_bytes != 0) slices.count = {upload(contents.count, 4)};
        if (plan.scratch_bytes != 0) slices.scratch = {upload(contents.scratch, plan.scratch_bytes)};
    }
    auto job = device.context().bind(plan, slices);
    ASSERT_TRUE(job) << job.error().message;
    const auto ok = device.submit(
        [&](WGPUCommandEncoder encoder) { return job->record(encoder, {options.other_count}); });
    ASSERT_TRUE(ok) << ok.error().message;
    // Behind a tight buffer there is nothing to be read, and nothing to be damaged.
    const std::uint64_t there = std::min<std::uint64_t>(
        contents.output.size(), wgpuBufferGetSize(slices.output.buffer) - slices.output.offset);
    const auto got =
        device.read(slices.output.buffer, slices.output.offset, std::span(contents.output).first(there));
    ASSERT_TRUE(got) << got.error().message;
}

}  // namespace

Launcher default_launcher() {
    return {"gpu", [](ScanDesc&) {}};
}

std::vector<Launcher> launchers() {
    const auto without_subgroups = [](ScanDesc& desc) {
        if (desc.block_scan == BlockScan::automatic) desc.block_scan = BlockScan::blelloch;
    };
    return {default_launcher(),
            {"no_subgroups", without_subgroups},
            {"loops", [](ScanDesc& desc) { desc.unroll = false; }},
            {"no_immediates", [](ScanDesc&) {}, false, false},
            {"cpu", without_subgroups, true}};
}

std::vector<std::byte> random_elements(const ElementType& type, std::uint64_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(count * type.stride);
    const auto put = [&](std::byte* at, Scalar scalar) {
        const auto word = static_cast<std::uint32_t>(random());
        if (scalar == Scalar::f32) {
            const auto value = static_cast<float>(static_cast<int>(word % 9) - 4);
            std::memcpy(at, &value, 4);
        } else if (scalar == Scalar::f16) {
            constexpr std::array<std::uint16_t, 4> values{0x0000, 0x3C00, 0xBC00, 0x4000};  // 0, 1, -1, 2
            std::memcpy(at, &values.at(word % 4), 2);
        } else if (size_of(scalar) == 8) {
            const std::uint64_t value = (std::uint64_t{word} << 32U) ^ random();
            std::memcpy(at, &value, 8);
        } else {
            const std::uint32_t value = word % 3 == 0 ? 0 : word;  // Zeros matter to the logical operators.
            std::memcpy(at, &value, 4);
        }
    };
    for (std::uint64_t i = 0; i < count; ++i) {
        std::byte* element = bytes.data() + i * type.stride;
        for (std::uint32_t c = 0; c < type.width; ++c) put(element + c * size_of(type.scalar), type.scalar);
        for (const Member& member : type.members) {
            for (std::uint32_t c = 0; c < member.width; ++c)
                put(element + member.offset + c * size_of(member.scalar), member.scalar);
        }
    }
    return bytes;
}

void expect_scan_of(const std::vector<std::byte>& input, const Launcher& launcher, ScanDesc desc,
                    const RunOptions& options) {
    launcher.adapt(desc);
    const Gpu& device = launcher.immediates ? gpu() : gpu_without_immediates();
    const DeviceCaps& caps = options.caps != nullptr ? *options.caps : device.caps();
    if (desc.block_scan == BlockScan::subgroup && desc.emulated_subgroup_size == 0 &&
        (!caps.subgroups || launcher.on_cpu))
        desc.emulated_subgroup_size = 32;
    auto plan = plan_scan(desc, caps);
    const std::string what = launcher.name + ": " + (plan ? to_string(*plan) : "no plan");
    SCOPED_TRACE(what);
    ASSERT_TRUE(plan) << plan.error().message;

    const std::uint64_t stride = desc.type.stride;
    Contents contents;
    contents.input = input;
    contents.input.resize((desc.count + tail) * stride, poison);
    contents.output.assign(contents.input.size(), poison);
    if (options.in_place) contents.output = contents.input;
    contents.scratch.assign(plan->scratch_bytes, std::byte{0xFF});
    contents.count.resize(plan->count_bytes);
    std::uint64_t count = options.other_count.value_or(desc.count);
    if (options.gpu_count) {
        std::memcpy(contents.count.data(), &*options.gpu_count, 4);
        count = std::min<std::uint64_t>(*options.gpu_count, desc.count);
    }
    std::vector<std::byte> expected = contents.output;
    ScanDesc reference = desc;
    reference.count = count;
    const auto serial = scan_serial_cpu(reference, contents.input, expected);
    ASSERT_TRUE(serial) << serial.error().message;

    if (launcher.on_cpu)
        run_cpu(*plan, contents, options);
    else
        run_gpu(device, *plan, contents, options);
    if (::testing::Test::HasFatalFailure()) return;

    const std::vector<bool> mask = data_bytes(desc.type);
    for (std::uint64_t byte = 0; byte < expected.size(); ++byte) {
        if ((byte < count * stride && !mask[byte % stride]) || contents.output[byte] == expected[byte])
            continue;
        const std::uint64_t at = byte / stride;
        FAIL() << "element " << at << " of " << count
               << (at >= count ? " lies behind the count and was changed" : " is wrong") << " (byte "
               << byte % stride << " is " << static_cast<int>(contents.output[byte]) << ", not "
               << static_cast<int>(expected[byte]) << ")";
    }
}

void expect_scan(const Launcher& launcher, const ScanDesc& desc, const RunOptions& options) {
    expect_scan_of(random_elements(desc.type, desc.count, static_cast<std::uint32_t>(desc.count + 1)),
                   launcher, desc, options);
}

}  // namespace upsweep::testing
