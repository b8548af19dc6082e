// Build makes everything in this module: the stubs from the repository's protos, then the library and the bots.
//
//	go run ./internal/build         stubs/ and build/
//	go run ./internal/build -test   the same, then go vet and the tests
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
)

func main() {
	test := flag.Bool("test", false, "vet and test, too")
	flag.Parse()
	if err := build(context.Background(), *test); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n", err)
		os.Exit(1)
	}
}

func build(ctx context.Context, test bool) error {
	if _, err := os.Stat(protos); err != nil {
		return errors.New("cannot find " + protos + "; run this in clients/go of a clone of the repository")
	}
	if err := makeStubs(ctx); err != nil {
		return fmt.Errorf("cannot generate the stubs: %w", err)
	}
	steps := [][]string{{"build", "-o", "build/", "./examples/..."}}
	if test {
		steps = append(steps, []string{"vet", ".", "./examples/...", "./internal/..."}, []string{"test", ".", "./examples/..."})
	}
	for _, arguments := range steps {
		step := exec.CommandContext(ctx, "go", arguments...)
		step.Stdout, step.Stderr = os.Stdout, os.Stderr
		step.Env = append(os.Environ(), "CGO_ENABLED=0") // programs that need no libc run in any sandbox
		if err := step.Run(); err != nil {
			return fmt.Errorf("go %s: %w", arguments[0], err)
		}
	}
	return nil
}
