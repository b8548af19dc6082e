// Settings: arguments win, the environment completes them, and what is missing is said in a sentence.
#include "croupier/settings.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace croupier {
namespace {

class SettingsTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* variable : {"CROUPIER_TARGET", "CROUPIER_TOKEN", "CROUPIER_NAME"}) unsetenv(variable);
  }

  static std::string complaint_about(Settings settings) {
    try {
      completed(std::move(settings));
    } catch (const SettingsError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(SettingsTest, WhatIsNotGivenComesFromTheEnvironment) {
  setenv("CROUPIER_TARGET", "unix:/run/croupier.sock", 1);
  setenv("CROUPIER_TOKEN", "from-outside", 1);
  setenv("CROUPIER_NAME", "ada", 1);
  const Settings settings = completed({.token = "given"});
  EXPECT_EQ(settings.target, "unix:/run/croupier.sock");
  EXPECT_EQ(settings.token, "given");
  EXPECT_EQ(settings.name, "ada");
}

TEST_F(SettingsTest, AMissingSettingIsNamed) {
  EXPECT_NE(complaint_about({.token = "t"}).find("CROUPIER_TARGET"), std::string::npos);
  EXPECT_NE(complaint_about({.target = "localhost:7017"}).find("CROUPIER_TOKEN"), std::string::npos);
}

TEST_F(SettingsTest, AnAddressThatCanBeNoneIsRefused) {
  for (const char* target : {"localhost", "localhost:0", "localhost:65536", ":7017", "unix:", "http://host:1"}) {
    EXPECT_NE(complaint_about({.target = target, .token = "t"}).find(target), std::string::npos) << target;
  }
  for (const char* target : {"localhost:65535", "[::1]:7017", "unix:/a", "dns:///host:1"}) {
    EXPECT_EQ(complaint_about({.target = target, .token = "t"}), "") << target;
  }
}

TEST_F(SettingsTest, ATokenThatNoCallCanCarryIsRefusedAndNotRepeated) {
  const std::string complaint = complaint_about({.target = "localhost:7017", .token = "sec\nret"});
  EXPECT_NE(complaint.find("CROUPIER_TOKEN"), std::string::npos);
  EXPECT_EQ(complaint.find("ret"), std::string::npos);
}

}  // namespace
}  // namespace croupier
