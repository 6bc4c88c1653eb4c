"""Declares the resources of the JSON file that DECLARED names, in order. `wait` looks all domains up and awaits the answer."""

import json
import os

import pulumi_legacydns as legacydns

with open(os.environ["DECLARED"], encoding="utf-8") as file:
    for each in json.load(file):
        if each["type"] == "wait":
            legacydns.get_domains()
        else:
            getattr(legacydns, each["type"])(each["name"], **each["inputs"])
