package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/OWNER/pulumi-legacydns/sdk/go/legacydns"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// item is a resource of the file that DECLARED names.
type item struct {
	Type   string
	Name   string
	Inputs struct {
		Domain, Name, Type, Value string
		Ttl                       int
		Domains, Records          []string
	}
}

// declareFile declares the resources of that file, in order. "wait" looks all domains up and awaits the answer.
func declareFile(ctx *pulumi.Context) error {
	text, err := os.ReadFile(os.Getenv("DECLARED"))
	if err != nil {
		return err
	}
	var items []item
	if err := json.Unmarshal(text, &items); err != nil {
		return err
	}
	for _, each := range items {
		if err := declareItem(ctx, each); err != nil {
			return err
		}
	}
	return nil
}

func declareItem(ctx *pulumi.Context, each item) error {
	in := each.Inputs
	switch each.Type {
	case "wait":
		_, err := legacydns.GetDomains(ctx, &legacydns.GetDomainsArgs{})
		return err
	case "Record":
		_, err := legacydns.NewRecord(ctx, each.Name, &legacydns.RecordArgs{
			Domain: pulumi.String(in.Domain), Name: pulumi.String(in.Name), Type: pulumi.String(in.Type), Value: pulumi.String(in.Value), Ttl: pulumi.Int(in.Ttl),
		})
		return err
	case "RecordBatch":
		records := make(pulumi.Array, len(in.Records))
		for i, line := range in.Records {
			records[i] = pulumi.String(line)
		}
		_, err := legacydns.NewRecordBatch(ctx, each.Name, &legacydns.RecordBatchArgs{
			Domains: pulumi.ToStringArray(in.Domains), Records: records,
		})
		return err
	}
	return fmt.Errorf("%s is no type", each.Type)
}
