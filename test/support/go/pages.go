package main

import (
	"github.com/OWNER/pulumi-legacydns/sdk/go/legacydns"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// pages has the examples of the pages that no program of the repository contains. The compiler checks it; nothing runs it.
func pages(ctx *pulumi.Context) error {
	agency, err := legacydns.NewDomainShare(ctx, "agency", &legacydns.DomainShareArgs{
		Domain: pulumi.String("example.com"), Email: pulumi.String("agency@example.org"), Mode: pulumi.String("rw"),
	})
	if err != nil {
		return err
	}
	subsidiary, err := legacydns.NewProvider(ctx, "subsidiary", &legacydns.ProviderArgs{
		BaseUrl:       pulumi.String("https://dns.example.org"),
		LoginTokenEnv: pulumi.String("SUBSIDIARY_LOGIN_TOKEN"),
		Contact:       pulumi.String("you@example.org"),
	})
	if err != nil {
		return err
	}
	_, err = legacydns.NewRecord(ctx, "www", &legacydns.RecordArgs{
		Domain: pulumi.String("example.com"),
		Name:   pulumi.String("www"),
		Type:   pulumi.String("A"),
		Value:  pulumi.String("192.0.2.1"),
	}, pulumi.Provider(subsidiary))
	ctx.Export("mode", agency.Mode)
	return err
}

var _ = pages
