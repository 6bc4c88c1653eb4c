/** Two accounts in one program: the stack's own, and one whose token stands in another environment variable. */
import { Provider, RecordBatch } from "pulumi-legacydns";

const subsidiary = new Provider("subsidiary", {
  baseUrl: "https://dns.example.edu", // in the program, so that no stack file decides the destination of the token
  loginTokenEnv: "SUBSIDIARY_LOGIN_TOKEN",
});

const records = ["@ 600 A 192.0.2.1", "www 600 CNAME example.com"];
new RecordBatch("own", { domains: "example.com", records });
new RecordBatch(
  "theirs",
  { domains: "example.edu", records: ["@ 600 A 192.0.2.1"] },
  { provider: subsidiary },
);
