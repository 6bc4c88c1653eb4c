package main

import (
	"github.com/OWNER/pulumi-legacydns/sdk/go/legacydns"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := legacydns.NewZone(ctx, "zone", &legacydns.ZoneArgs{
			Domain: pulumi.String(config.Require(ctx, "domain")),
			Records: pulumi.Array{
				pulumi.String("@ 600 A 192.0.2.1"),
				pulumi.String("www 600 A 192.0.2.1"),
				pulumi.Map{
					"type":  pulumi.String("TXT"),
					"value": pulumi.String("v=spf1 -all"),
					"ttl":   pulumi.Int(3600),
				},
			},
		})
		return err
	})
}
