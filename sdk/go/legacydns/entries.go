// Code added by pulumi-legacydns.

package legacydns

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

// Entries returns the records as values. Secret if a record is secret.
func (batch *RecordBatch) Entries(ctx *pulumi.Context) ZoneEntryArrayOutput {
	return GetEntriesOutput(ctx, GetEntriesOutputArgs{
		Domains: batch.Domains, ZoneText: batch.ZoneText, Secrets: batch.Secrets,
	}).Entries()
}

// Entries returns the records as values. Secret if a record is secret.
func (zone *Zone) Entries(ctx *pulumi.Context) ZoneEntryArrayOutput {
	return GetEntriesOutput(ctx, GetEntriesOutputArgs{
		Domains: pulumi.StringArray{zone.Domain}, ZoneText: zone.ZoneText, Secrets: zone.Secrets,
	}).Entries()
}
