// A whole zone in Go: a batch, a record of its own, a second zone from text, and a look-up.
package main

import (
	"github.com/OWNER/pulumi-legacydns/sdk/go/legacydns"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func declare(ctx *pulumi.Context) error {
	web, err := legacydns.NewRecordBatch(ctx, "web", &legacydns.RecordBatchArgs{
		Domains: pulumi.ToStringArray([]string{"example.com"}),
		Records: pulumi.Array{
			legacydns.RecordSpecArgs{
				Name: pulumi.ToStringArray([]string{"@", "www"}), Type: pulumi.String("A"),
				Value: pulumi.ToStringArray([]string{"192.0.2.1", "192.0.2.2"}), Ttl: pulumi.Int(600),
			},
			legacydns.RecordSpecArgs{
				Type: pulumi.String("MX"), Value: pulumi.ToStringArray([]string{"mx1.example.org"}), Priority: pulumi.Int(10),
			},
			pulumi.String("@ TXT v=spf1 include:_spf.example.org -all"), // a presentation line says the same in fewer words
			pulumi.String("shop 300 CNAME www.example.org."),
		},
	})
	if err != nil {
		return err
	}
	api, err := legacydns.NewRecord(ctx, "api", &legacydns.RecordArgs{
		Domain: pulumi.String("example.com"), Name: pulumi.String("api"), Type: pulumi.String("A"), Value: pulumi.String("192.0.2.9"), Ttl: pulumi.Int(60),
	})
	if err != nil {
		return err
	}
	if _, err := legacydns.NewZone(ctx, "parked", &legacydns.ZoneArgs{
		Domain: pulumi.String("example.net"),
		Text:   pulumi.String("$TTL 600\n@ A 192.0.2.20\nwww A 192.0.2.20\n"),
	}); err != nil {
		return err
	}
	domain, err := legacydns.GetDomain(ctx, &legacydns.GetDomainArgs{Domain: pulumi.StringRef("example.com")})
	if err != nil {
		return err
	}
	ctx.Export("records", web.ZoneText)
	entries := legacydns.GetEntriesOutput(ctx, legacydns.GetEntriesOutputArgs{
		Domains: web.Domains, ZoneText: web.ZoneText, Secrets: web.Secrets,
	}).Entries()
	ctx.Export("hosts", entries.ApplyT(namesOf))
	ctx.Export("apiRecord", api.RecordId)
	ctx.Export("status", pulumi.StringPtrFromPtr(domain.Status))
	return nil
}

func namesOf(entries []legacydns.ZoneEntry) []string {
	names := make([]string, len(entries))
	for i, each := range entries {
		names[i] = each.Name
	}
	return names
}
