package main

import (
	"github.com/OWNER/pulumi-legacydns/sdk/go/legacydns"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// share is the example of DomainShare's page; the compiler holds it, and no program runs it.
func share(ctx *pulumi.Context) error {
	agency, err := legacydns.NewDomainShare(ctx, "agency", &legacydns.DomainShareArgs{
		Domain: pulumi.String("example.com"), Email: pulumi.String("agency@example.org"), Mode: pulumi.String("rw"),
	})
	if err != nil {
		return err
	}
	ctx.Export("mode", agency.Mode)
	return nil
}

var _ = share
