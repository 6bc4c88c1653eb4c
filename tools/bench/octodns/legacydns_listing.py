"""An octoDNS provider that only reads: the zone as the service lists it (api.md, Record.List), for a comparison of no-ops."""
import json
import logging
import os
import urllib.parse
import urllib.request

from octodns.provider.base import BaseProvider
from octodns.record import Record

PAGE = 3000


class ListingProvider(BaseProvider):
    SUPPORTS_GEO = False
    SUPPORTS_ROOT_NS = False
    SUPPORTS = {"A"}
    SUPPORTS_DYNAMIC = False
    log = logging.getLogger("ListingProvider")

    def _page(self, domain, offset):
        form = {
            "login_token": os.environ["LISTING_TOKEN"],
            "format": "json",
            "domain": domain,
            "offset": offset,
            "length": PAGE,
        }
        request = urllib.request.Request(
            f"{os.environ['LISTING_URL']}/Record.List",
            data=urllib.parse.urlencode(form).encode(),
            headers={"User-Agent": "bench/1.0 (bench@example.com)"},
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def populate(self, zone, target=False, lenient=False):
        domain = zone.name.rstrip(".")
        listed = 0
        while True:
            page = self._page(domain, listed)
            listed += len(page["records"])
            for each in page["records"]:
                if each["type"] in self.SUPPORTS:
                    data = {"type": each["type"], "ttl": int(each["ttl"]), "value": each["value"]}
                    name = "" if each["name"] == "@" else each["name"]
                    zone.add_record(Record.new(zone, name, data, source=self, lenient=lenient), lenient=lenient)
            if listed >= int(page["info"]["record_total"]):
                return True

    def _apply(self, plan):
        raise NotImplementedError("this provider only reads")
