/** JavaScript of a program's resources. They are in example.com, unless their further arguments name another domain. */
const resource = (type: string, name: string, args: object, options: string) =>
  `new dns.${type}(${JSON.stringify(name)}, ${JSON.stringify(args)}, ${options});\n`;

/** An explicit provider of the story's own account, and its constant. @param more settings, in JavaScript */
export const provider = (name: string, more = "") =>
  `const ${name} = new dns.Provider("${name}", { baseUrl: process.env.LEGACYDNS_BASE_URL, loginTokenEnv: "LEGACYDNS_LOGIN_TOKEN", indexDelay: 0, requestsPerSecond: 1000, ${more} });\n`;

type Records = string | readonly (string | object)[];

/** @param options of the resource, in JavaScript */
export const batch = (name: string, records: Records, more: object = {}, options = "{}") =>
  resource("RecordBatch", name, { domains: "example.com", records, ...more }, options);

/** @param records undefined if `more` names a file */
export const zone = (records: Records | undefined, more: object = {}, domain = "example.com") =>
  resource("Zone", domain, { domain, records, ...more }, "{}");

/** An A record with TTL 600. Its name is also the resource's, unless `more` has another one. */
export const record = (name: string, value: string, more: object = {}, options = "{}") =>
  resource("Record", name, { domain: "example.com", name, type: "A", value, ttl: 600, ...more }, options);

export const share = (name: string, email: string, mode: string, more: object = {}, options = "{}") =>
  resource("DomainShare", name, { domain: "example.com", email, mode, ...more }, options);
