export const bare = `
  const of = (type, outputs) => class extends pulumi.CustomResource {
    constructor(name, args, opts) { super("legacydns:index:" + type, name, { ...Object.fromEntries(outputs.map((each) => [each, undefined])), ...args }, opts); }
  };
  const Record = of("Record", ["domain", "name", "type", "value", "ttl", "priority", "line", "recordId", "fqdn"]);
  const RecordBatch = of("RecordBatch", ["domains", "records", "zoneText"]);
  const Zone = of("Zone", ["domain", "records", "zoneText"]);
  const DomainShare = of("DomainShare", ["domain", "email", "mode", "subDomain"]);
  const invoke = (name, args) => pulumi.runtime.invoke("legacydns:index:" + name, args);`;
