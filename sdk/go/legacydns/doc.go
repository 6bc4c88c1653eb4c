// A Pulumi provider for DNS domains hosted on a legacy HTTP API: whole zones in a call or two, declared in code and reconciled.
package legacydns
