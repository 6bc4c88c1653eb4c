"""A whole zone in Python: a batch, a record of its own, a second zone from text, and a look-up."""

import pulumi
import pulumi_legacydns as legacydns

web = legacydns.RecordBatch(
    "web",
    domains=["example.com"],
    records=[
        {
            "name": ["@", "www"],
            "type": "A",
            "value": ["192.0.2.1", "192.0.2.2"],
            "ttl": 600,
        },
        {"type": "MX", "value": "mx1.example.org", "priority": 10},
        {"type": "TXT", "value": "v=spf1 include:_spf.example.org -all"},
        "shop 300 CNAME www.example.org.",  # a presentation line says the same in fewer words
    ],
)

api = legacydns.Record(
    "api", domain="example.com", name="api", type="A", value="192.0.2.9", ttl=60
)

parked = legacydns.Zone(
    "parked", domain="example.net", text="$TTL 600\n@ A 192.0.2.20\nwww A 192.0.2.20\n"
)

pulumi.export("records", web.zone_text)
entries = legacydns.get_entries_output(
    domains=web.domains, zone_text=web.zone_text, secrets=web.secrets
)
pulumi.export("hosts", entries.apply(lambda all: [each.name for each in all.entries]))
pulumi.export("apiRecord", api.record_id)
pulumi.export("status", legacydns.get_domain(domain="example.com").status)
