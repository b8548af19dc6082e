package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

const (
	module = "croupier"
	protos = "../../protos"
	stubs  = "stubs"
	stamp  = stubs + "/made-from"
)

var plugins = []string{"protoc-gen-go", "protoc-gen-go-grpc"}

//go:embed stubs.go
var recipe []byte

// makeStubs generates all stubs, unless those that are there come from the same protos, tools and recipe.
func makeStubs(ctx context.Context) error {
	names, ingredients, err := gather()
	if err != nil {
		return err
	}
	if made, err := os.ReadFile(stamp); err == nil && string(made) == ingredients {
		return nil
	}
	request, err := compile(ctx, names)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(stubs); err != nil {
		return err
	}
	for _, plugin := range plugins {
		if err := generate(ctx, plugin, request); err != nil {
			return fmt.Errorf("%s: %w", plugin, err)
		}
	}
	return os.WriteFile(stamp, []byte(ingredients), 0o644) // last of all: what is half made is made again
}

// gather lists the protos by their import names, and sums up all that the stubs are made from.
func gather() (names []string, ingredients string, err error) {
	sum := sha256.New()
	sum.Write(recipe)
	modules, err := os.ReadFile("go.mod")
	if err != nil {
		return nil, "", err
	}
	sum.Write(modules) // which has the versions of the tools
	tree := os.DirFS(protos)
	err = fs.WalkDir(tree, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".proto" {
			return err
		}
		content, err := fs.ReadFile(tree, name)
		names = append(names, name)
		fmt.Fprintf(sum, "\n%s %d\n%s", name, len(content), content)
		return err
	})
	return names, hex.EncodeToString(sum.Sum(nil)), err
}

// compile does what protoc does before it calls a plugin.
func compile(ctx context.Context, names []string) (*pluginpb.CodeGeneratorRequest, error) {
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{protos}}),
		SourceInfoMode: protocompile.SourceInfoStandard, // the comments
	}
	files, err := compiler.Compile(ctx, names...)
	if err != nil {
		return nil, err
	}
	return &pluginpb.CodeGeneratorRequest{
		FileToGenerate: names,
		Parameter:      proto.String(parameter(names)),
		ProtoFile:      inOrder(files),
	}, nil
}

// parameter names the Go package of each proto: croupier/games/lie/v1/lie.proto becomes croupier/stubs/games/lie/v1, as
// liev1. The protos say nothing of it, for they belong to all languages.
func parameter(names []string) string {
	parameters := []string{"module=" + module}
	for _, name := range names {
		folder := strings.TrimPrefix(path.Dir(name), "croupier/")
		parent, version := path.Split(path.Dir(name))
		parameters = append(parameters, fmt.Sprintf("M%s=%s/%s/%s;%s%s",
			name, module, stubs, folder, strings.ReplaceAll(path.Base(parent), "_", ""), version))
	}
	return strings.Join(parameters, ",")
}

// inOrder has every file after those that it imports, as plugins expect it.
func inOrder(files linker.Files) []*descriptorpb.FileDescriptorProto {
	var ordered []*descriptorpb.FileDescriptorProto
	seen := make(map[string]bool)
	var visit func(file protoreflect.FileDescriptor)
	visit = func(file protoreflect.FileDescriptor) {
		if seen[file.Path()] {
			return
		}
		seen[file.Path()] = true
		for i := range file.Imports().Len() {
			visit(file.Imports().Get(i).FileDescriptor)
		}
		ordered = append(ordered, protoutil.ProtoFromFileDescriptor(file))
	}
	for _, file := range files {
		visit(file)
	}
	return ordered
}

// generate has a plugin write its files.
func generate(ctx context.Context, plugin string, request *pluginpb.CodeGeneratorRequest) error {
	input, err := proto.Marshal(request)
	if err != nil {
		return err
	}
	tool := exec.CommandContext(ctx, "go", "tool", plugin)
	tool.Stdin, tool.Stderr = bytes.NewReader(input), os.Stderr
	output, err := tool.Output()
	if err != nil {
		return err
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(output, &response); err != nil {
		return err
	}
	if response.Error != nil {
		return errors.New(response.GetError())
	}
	for _, file := range response.File {
		if err := write(file.GetName(), file.GetContent()); err != nil {
			return err
		}
	}
	return nil
}

func write(name, content string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(content), 0o644)
}
