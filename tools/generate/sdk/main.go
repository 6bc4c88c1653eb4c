// Makes the SDKs of a schema with the engine's own generators: sdk SCHEMA FOLDER. No language host is needed.
package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	pygen "github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-legacydns"

// overlay has the output `entries`, which an SDK computes from the outputs in the state.
//
//go:embed overlay
var overlay embed.FS

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// bind reads the schema again for each language, because a generator may change it.
func bind(file string) (*schema.Package, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, found, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	for _, each := range found {
		fmt.Fprintln(os.Stderr, each)
	}
	return pkg, err
}

// addEntries adds the output to each resource with a zone's text.
func addEntries(language string, files map[string][]byte) error {
	if language == "go" {
		text, err := overlay.ReadFile("overlay/entries.go.txt")
		files["legacydns/entries.go"] = text
		return err
	}
	const imports = "from ._inputs import *\n"
	for _, name := range []string{"record_batch.py", "zone.py"} {
		path := "pulumi_legacydns/" + name
		text, err := overlay.ReadFile("overlay/" + name)
		if err != nil {
			return err
		}
		if !bytes.Contains(files[path], []byte(imports)) {
			return fmt.Errorf("%s does not import the input types", path)
		}
		whole := bytes.Replace(files[path], []byte(imports), []byte("from . import outputs\n"+imports), 1)
		files[path] = append(append(whole, '\n'), text...)
	}
	return nil
}

func run(file, folder string) error {
	generators := map[string]func(*schema.Package) (map[string][]byte, error){
		"python": func(pkg *schema.Package) (map[string][]byte, error) {
			return pygen.GeneratePackage(tool, pkg, nil, nil)
		},
		"go": func(pkg *schema.Package) (map[string][]byte, error) {
			return gogen.GeneratePackage(tool, pkg, nil)
		},
	}
	for language, generate := range generators {
		pkg, err := bind(file)
		if err != nil {
			return err
		}
		files, err := generate(pkg)
		if err != nil {
			return err
		}
		if err := addEntries(language, files); err != nil {
			return err
		}
		for name, text := range files {
			path := filepath.Join(folder, language, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
