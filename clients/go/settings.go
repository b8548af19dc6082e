package croupier

import (
	"fmt"
	"os"
	"regexp"
	"strconv"

	"google.golang.org/grpc/credentials"

	croupierv1 "croupier/stubs/v1"
)

// Options say where a bot plays, as whom, and how much of each turn it wants: the less, the faster.
type Options struct {
	// Target is the service's address, host:port or unix:/path; if empty, CROUPIER_TARGET says.
	Target string
	// Token is the bot's token; if empty, CROUPIER_TOKEN says.
	Token string
	// Name is what the bot calls itself, for logs; if empty, CROUPIER_NAME says.
	Name string
	// OmitView asks for turns without the view.
	OmitView bool
	// OmitEvents asks for turns without the events.
	OmitEvents bool
	// Legal says what turns tell of the legal actions: their notations, unless set.
	Legal croupierv1.LegalDetail
	// Credentials are for a service that speaks TLS; without them the connection is in the clear.
	Credentials credentials.TransportCredentials
}

// A SettingsError says which setting is missing or wrong.
type SettingsError struct{ message string }

// Error is the whole sentence.
func (e *SettingsError) Error() string { return e.message }

var (
	addressWithScheme = regexp.MustCompile(`^(unix|unix-abstract|dns):.+$`)
	hostAndPort       = regexp.MustCompile(`^(?:\[[^\]\s]+\]|[^\[\]:/\s]+):(\d{1,5})$`)
	printableASCII    = regexp.MustCompile(`^[ -~]+$`)
)

// completed has what the environment says where the options say nothing, checked as far as that can be done here.
func (o Options) completed() (Options, error) {
	o.Target = orEnvironment(o.Target, "CROUPIER_TARGET")
	o.Token = orEnvironment(o.Token, "CROUPIER_TOKEN")
	o.Name = orEnvironment(o.Name, "CROUPIER_NAME")
	switch {
	case o.Target == "":
		return o, &SettingsError{"where to play? Set CROUPIER_TARGET to host:port or unix:/path, or Options.Target"}
	case o.Token == "":
		return o, &SettingsError{"who plays? Set CROUPIER_TOKEN to the bot's token, or Options.Token"}
	case !isAddress(o.Target):
		return o, &SettingsError{fmt.Sprintf(
			"expected the service's address as host:port or unix:/path, got %q; see CROUPIER_TARGET", o.Target)}
	case !printableASCII.MatchString(o.Token):
		return o, &SettingsError{"expected a token of printable ASCII characters, got others; see CROUPIER_TOKEN"}
	}
	return o, nil
}

func (o Options) hello() *croupierv1.Hello {
	return &croupierv1.Hello{Name: o.Name, Detail: &croupierv1.TurnDetail{
		OmitView: o.OmitView, Legal: o.Legal, OmitEvents: o.OmitEvents,
	}}
}

func orEnvironment(value, variable string) string {
	if value != "" {
		return value
	}
	return os.Getenv(variable)
}

// isAddress tells whether the target can be one: gRPC would try a wrong one for ever.
func isAddress(target string) bool {
	if addressWithScheme.MatchString(target) {
		return true
	}
	parts := hostAndPort.FindStringSubmatch(target)
	if parts == nil {
		return false
	}
	port, err := strconv.ParseUint(parts[1], 10, 16)
	return err == nil && port > 0
}
