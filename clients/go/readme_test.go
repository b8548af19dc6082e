package croupier

import (
	"os"
	"strings"
	"testing"
)

func TestTheBotOfTheReadmeIsTheExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("examples/first/main.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "```go\n"+string(example)+"```\n") {
		t.Error("README.md does not show examples/first/main.go as it is; copy it there")
	}
}
