    @_builtins.property
    def entries(self) -> pulumi.Output[Sequence['outputs.ZoneEntry']]:
        """
        The records as values. Secret if a record is secret.
        """
        from .get_entries import get_entries_output

        found = get_entries_output(domains=self.domains, zone_text=self.zone_text, secrets=self.secrets)
        return found.apply(lambda result: result.entries)
