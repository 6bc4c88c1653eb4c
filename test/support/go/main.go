// Runs the program of examples/go through the Automation API, without a language host: inline COMMAND FOLDER.
// The program itself, `declare`, is laid beside this file when it is compiled (languages.ts).
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optdestroy"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optpreview"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optup"
)

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func run(ctx context.Context, command, folder string) error {
	stack, err := auto.SelectStackInlineSource(ctx, "test", "zones", declare, auto.WorkDir(folder))
	if err != nil {
		return err
	}
	switch command {
	case "preview":
		_, err = stack.Preview(ctx, optpreview.Diff(), optpreview.ProgressStreams(os.Stdout))
	case "up":
		_, err = stack.Up(ctx, optup.ProgressStreams(os.Stdout))
	case "drift":
		_, err = stack.Preview(ctx, optpreview.Diff(), optpreview.Refresh(), optpreview.ProgressStreams(os.Stdout))
	case "destroy":
		_, err = stack.Destroy(ctx, optdestroy.ProgressStreams(os.Stdout))
	default:
		err = fmt.Errorf("%s is no command", command)
	}
	return err
}
