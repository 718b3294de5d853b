// The rival: CUB on the same card. One line a benchmark and count, as CSV that `upsweep bench --rival` reads: the
// median of 21 runs after a warm-up, whole calls timed by events. The names are those of `upsweep bench`, and counts are
// elements. By hand: nvcc -O3 -std=c++17 -arch=native -o cub cub.cu && ./cub 16 20 24 28
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <cub/cub.cuh>

namespace {

struct Odd {
    __host__ __device__ bool operator()(std::uint32_t x) const { return (x & 1U) != 0; }
};

struct MatrixProduct {
    __host__ __device__ uint4 operator()(uint4 a, uint4 b) const {
        return make_uint4(a.x * b.x + a.y * b.z, a.x * b.y + a.y * b.w, a.z * b.x + a.w * b.z,
                          a.z * b.y + a.w * b.w);
    }
};

__global__ void fill(std::uint32_t* words, std::size_t count) {
    const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
    if (i >= count) return;
    std::uint32_t x = static_cast<std::uint32_t>(i) * 747796405U + 2891336453U;
    x = ((x >> ((x >> 28U) + 4U)) ^ x) * 277803737U;
    words[i] = (x >> 22U) ^ x;
}

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

float once(const std::function<void()>& work) {
    static cudaEvent_t begin = nullptr, end = nullptr;
    if (begin == nullptr) {
        check(cudaEventCreate(&begin));
        check(cudaEventCreate(&end));
    }
    check(cudaEventRecord(begin));
    work();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    return milliseconds * 1000;
}

// An idle GPU is clocked down: work for a while, then measure at once.
float median_microseconds(const std::function<void()>& work) {
    static bool is_warm = false;
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(is_warm ? 60 : 500);
    is_warm = true;
    while (std::chrono::steady_clock::now() < until) once(work);
    std::vector<float> all(21);
    for (float& value : all) value = once(work);
    std::nth_element(all.begin(), all.begin() + 10, all.end());
    return all[10];
}

struct Buffers {
    std::uint32_t *in, *out, *count;
    void* scratch = nullptr;
    std::size_t scratch_bytes = 0;
};

// `call` is a CUB function with everything but its scratch bound.
template <class F>
void measure(const char* name, int log2, double bytes, Buffers& b, F call) {
    std::size_t needed = 0;
    check(call(nullptr, needed));
    if (needed > b.scratch_bytes) {
        check(cudaFree(b.scratch));
        check(cudaMalloc(&b.scratch, needed));
        b.scratch_bytes = needed;
    }
    const float us = median_microseconds([&] {
        std::size_t size = b.scratch_bytes;
        check(call(b.scratch, size));
    });
    std::printf("%s,%d,%.2f,%.1f\n", name, log2, us, bytes / us * 1e-3);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<int> sizes;
    for (int i = 1; i < argc; ++i) sizes.push_back(std::atoi(argv[i]));
    if (sizes.empty()) sizes = {10, 12, 14, 16, 18, 20, 22, 24, 26, 28};
    std::printf("# CUB %d.%d.%d\nbenchmark,log2_count,us,GB/s\n", CUB_MAJOR_VERSION, CUB_MINOR_VERSION,
                CUB_SUBMINOR_VERSION);
    for (const int log2 : sizes) {
        const std::size_t n = std::size_t{1} << log2;
        const double bytes = static_cast<double>(n) * 4;
        const int items = static_cast<int>(n);
        // As in `upsweep bench`, inputs have at most 1 GiB.
        const bool has_matrices = n <= std::size_t{1} << 26U;
        const std::size_t words = has_matrices ? 4 * n : n;
        Buffers b{};
        check(cudaMalloc(&b.in, words * 4));
        check(cudaMalloc(&b.out, words * 4));
        check(cudaMalloc(&b.count, 64));
        fill<<<static_cast<unsigned>((words + 255) / 256), 256>>>(b.in, words);
        check(cudaGetLastError());
        measure("memcpy", log2, 2 * bytes, b, [&](void*, std::size_t& size) {
            size = 1;
            return cudaMemcpyAsync(b.out, b.in, n * 4, cudaMemcpyDeviceToDevice);
        });
        measure("scan/u32_plus_exclusive", log2, 2 * bytes, b, [&](void* s, std::size_t& size) {
            return cub::DeviceScan::ExclusiveSum(s, size, b.in, b.out, items);
        });
        measure("scan/u32_plus_inclusive_in_place", log2, 2 * bytes, b, [&](void* s, std::size_t& size) {
            return cub::DeviceScan::InclusiveSum(s, size, b.out, b.out, items);
        });
        if (has_matrices) {
            measure("scan/mat2x2_inclusive", log2, 8 * bytes, b, [&](void* s, std::size_t& size) {
                return cub::DeviceScan::InclusiveScan(s, size, reinterpret_cast<uint4*>(b.in),
                                                      reinterpret_cast<uint4*>(b.out), MatrixProduct{},
                                                      items);
            });
        }
        measure("reduce/u32_plus", log2, bytes, b, [&](void* s, std::size_t& size) {
            return cub::DeviceReduce::Sum(s, size, b.in, b.count, items);
        });
        measure("compact/u32_predicate_half", log2, 1.5 * bytes, b, [&](void* s, std::size_t& size) {
            return cub::DeviceSelect::If(s, size, b.in, b.out, b.count, items, Odd{});
        });
        // Its second part comes in reversed order.
        for (const char* name : {"partition/u32_half", "partition/u32_half_others_reversed"}) {
            measure(name, log2, 2 * bytes, b, [&](void* s, std::size_t& size) {
                return cub::DevicePartition::If(s, size, b.in, b.out, b.count, items, Odd{});
            });
        }
        for (std::uint32_t* buffer : {b.in, b.out, b.count}) check(cudaFree(buffer));
        check(cudaFree(b.scratch));
    }
    return 0;
}
