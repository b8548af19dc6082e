// Chance that follows from a text: the same deal is played the same way again, in whatever order games are served.
#pragma once

#include <array>
#include <string_view>

/// The SHA-256 of a text.
std::array<unsigned char, 32> sha256(std::string_view text);
