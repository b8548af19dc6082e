package croupier

import (
	"errors"
	"strings"
	"testing"
)

const goodToken = "abcdefghijklmnopqrstuvwx"

func TestAWrongSettingIsToldInASentenceAndExits2(t *testing.T) {
	cases := map[string]struct{ target, token, says string }{
		"no target":        {"", goodToken, "CROUPIER_TARGET"},
		"no token":         {"localhost:7017", "", "CROUPIER_TOKEN"},
		"no port":          {"localhost", goodToken, `got "localhost"`},
		"port too large":   {"localhost:70000", goodToken, `got "localhost:70000"`},
		"a web address":    {"http://localhost:7017", goodToken, "host:port or unix:/path"},
		"empty unix":       {"unix:", goodToken, "host:port or unix:/path"},
		"token with break": {"localhost:7017", "abc\ndef", "printable ASCII"},
	}
	for name, c := range cases {
		t.Setenv("CROUPIER_TARGET", c.target)
		t.Setenv("CROUPIER_TOKEN", c.token)
		_, err := Options{}.completed()
		var wrong *SettingsError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want a SettingsError with %s", name, err, c.says)
		} else if exitCode(err) != 2 {
			t.Errorf("%s: exits %d, want 2", name, exitCode(err))
		}
	}
}

func TestAddressesOfAllKindsAreTaken(t *testing.T) {
	for _, target := range []string{"localhost:7017", "127.0.0.1:1", "[::1]:65535", "unix:/tmp/socket", "dns:///host:1"} {
		if _, err := (Options{Target: target, Token: goodToken}).completed(); err != nil {
			t.Errorf("%s: %v", target, err)
		}
	}
}

func TestOptionsWinOverTheEnvironment(t *testing.T) {
	t.Setenv("CROUPIER_TARGET", "elsewhere:1")
	t.Setenv("CROUPIER_TOKEN", "another")
	t.Setenv("CROUPIER_NAME", "from the environment")
	options, err := Options{Target: "here:2", Token: goodToken}.completed()
	if err != nil || options.Target != "here:2" || options.Token != goodToken || options.Name != "from the environment" {
		t.Errorf("got %+v, %v", options, err)
	}
}
