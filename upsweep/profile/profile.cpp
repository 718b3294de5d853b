#include "upsweep/profile/profile.h"

#include "upsweep/profile/profile_json.h"

#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

#include <unistd.h>

namespace upsweep {

namespace {

namespace fs = std::filesystem;

// No profile is nearly as large; something else under its name shall not fill the memory.
constexpr std::uintmax_t most_bytes = std::uintmax_t{4} << 20U;

std::string in_quotes(const fs::path& path) {
    return "'" + path.string() + "'";
}

// For the eye: letters and digits of a name, with dashes for everything between them.
std::string plain(const std::string& name) {
    std::string text;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!text.empty() && text.back() != '-')
            text += '-';
    }
    constexpr std::size_t longest = 40;
    if (text.size() > longest) text.resize(longest);
    while (!text.empty() && text.back() == '-') text.pop_back();
    return text;
}

// FNV-1a of 64 bits. It tells names apart that look alike in plain(); that the key is the right one, load_profile()
// checks in the file.
std::string hash_of(const ProfileKey& key) {
    std::uint64_t hash = 0xCBF29CE484222325;
    const std::string subgroups = key.subgroups ? "1" : "0";
    for (const std::string* part : {&key.adapter, &key.driver, &key.provider, &key.library, &subgroups}) {
        for (const char c : *part + '\n') hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    }
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
    return text.data();
}

std::string to_text(const ProfileKey& key) {
    return key.adapter + " with the driver '" + key.driver + "', " + key.provider + " and Upsweep " +
           key.library + (key.subgroups ? "" : ", without subgroups");
}

Result<std::string> read_whole(const fs::path& path) {
    const auto cannot = [&](const std::string& why) {
        return fail(ErrorCode::invalid_argument,
                    "The profile " + in_quotes(path) + " cannot be read: " + why + ".");
    };
    std::error_code error;
    // A pipe or a device would be waited for.
    if (!fs::is_regular_file(path, error))
        return cannot(error || !fs::exists(path, error) ? "there is no such file" : "it is not a file");
    if (fs::file_size(path, error) > most_bytes || error) return cannot("it is too large for a profile");
    std::ifstream file(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (!file) return cannot("it cannot be opened");
    return text;
}

}  // namespace

Result<ProfileKey> profile_key(const DeviceCaps& caps, const std::string& provider) {
    if (caps.adapter.empty()) {
        return fail(
            ErrorCode::invalid_argument,
            "The device's adapter is not known, and a profile goes by it; give ContextDesc::adapter.");
    }
    return ProfileKey{caps.adapter, caps.driver, provider, UPSWEEP_VERSION, caps.subgroups};
}

Result<fs::path> default_profile_path(const ProfileKey& key) {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    fs::path folder;
    if (cache != nullptr && fs::path(cache).is_absolute())
        folder = cache;
    else if (home != nullptr && *home != '\0')
        folder = fs::path(home) / ".cache";
    else
        return fail(
            ErrorCode::unsupported,
            "There is no folder for profiles, since neither XDG_CACHE_HOME nor HOME is set; name a file.");
    return folder / "upsweep" /
           (plain(key.adapter) + "-" + plain(key.provider) + "-" + plain(key.library) + "-" + hash_of(key) +
            ".json");
}

Result<Tuning> load_profile(const fs::path& path, const ProfileKey& key) {
    auto text = read_whole(path);
    if (!text) return tl::unexpected(text.error());
    auto content = parse_profile(*text);
    if (!content) {
        return fail(ErrorCode::invalid_argument, "The profile " + in_quotes(path) + " cannot be used: " +
                                                     content.error() + "; measure anew with 'upsweep tune'.");
    }
    if (content->key != key) {
        return fail(ErrorCode::invalid_argument, "The profile " + in_quotes(path) + " was measured on " +
                                                     to_text(content->key) + ", and this is " + to_text(key) +
                                                     "; measure anew with 'upsweep tune'.");
    }
    return std::move(content->tuning);
}

Result<void> save_profile(const fs::path& path, const ProfileKey& key, const Tuning& tuning) {
    const auto cannot = [&](const std::string& why) {
        return fail(ErrorCode::invalid_argument,
                    "The profile " + in_quotes(path) + " cannot be written: " + why + ".");
    };
    std::error_code error;
    if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
    if (error) return cannot(error.message());
    // Beside its place, so that it gets there in one step; with a name of this process's own.
    fs::path unfinished = path;
    unfinished += "." + std::to_string(::getpid()) + ".tmp";
    std::ofstream file(unfinished, std::ios::binary);
    file << profile_text(key, tuning);
    file.close();
    if (!file) {
        fs::remove(unfinished, error);
        return cannot("the file cannot be made or filled");
    }
    fs::rename(unfinished, path, error);
    if (!error) return {};
    const std::string why = error.message();
    fs::remove(unfinished, error);
    return cannot(why);
}

}  // namespace upsweep
