// A whole zone in Go: a batch, a record of its own, a second zone from text, and a look-up.
package main

import (
	"github.com/OWNER/pulumi-legacydns/sdk/go/legacydns"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func declare(ctx *pulumi.Context) error {
	web, err := legacydns.NewRecordBatch(ctx, "web", &legacydns.RecordBatchArgs{
		Domains: pulumi.ToStringArray([]string{"example.com"}),
		Records: pulumi.Any([]any{
			map[string]any{"name": []string{"@", "www"}, "type": "A", "value": []string{"192.0.2.1", "192.0.2.2"}, "ttl": 600},
			map[string]any{"type": "MX", "value": "mx1.example.org", "priority": 10},
			map[string]any{"type": "TXT", "value": "v=spf1 include:_spf.example.org -all"},
			"shop 300 CNAME www.example.org.", // a presentation line says the same in fewer words
		}),
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
	ctx.Export("records", web.Records)
	ctx.Export("apiRecord", api.RecordId)
	ctx.Export("status", pulumi.StringPtrFromPtr(domain.Status))
	return nil
}
