"""A zone on a legacy DNS service."""

import pulumi
import pulumi_legacydns as legacydns

legacydns.Zone(
    "zone",
    domain=pulumi.Config().require("domain"),
    records=[
        "@ 600 A 192.0.2.1",
        "www 600 A 192.0.2.1",
        {"type": "TXT", "value": "v=spf1 -all", "ttl": 3600},
    ],
)
