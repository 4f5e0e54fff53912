#pragma once

#include <array>
#include <string>

namespace writ::store {

// What the server runs in one piece, between two other commands; the files in scripts/ say what
// each does. A script is named by its digest, so that nodes of two versions side by side each have
// their own, and an old one is in nobody's way.
enum class RedisScript { kOpen, kLook, kCheck, kCommit };

inline constexpr std::array kRedisScripts{RedisScript::kOpen, RedisScript::kLook,
                                          RedisScript::kCheck, RedisScript::kCommit};

[[nodiscard]] std::string TextOf(RedisScript script);
[[nodiscard]] bool Writes(RedisScript script);

}  // namespace writ::store
