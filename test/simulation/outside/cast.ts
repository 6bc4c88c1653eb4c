/** The records of the second workload. */
import { secretMark, type Spec } from "../program";

export const hosts = ["www", "api", "mail", "old", "a.b", "shop2", "ns-x", "_srv.tcp", "x1", "x2"] as const;
export const otherLine = "电信";
const ttls = [undefined, 600, 300, 900] as const;

function ip(n: number): string {
  return `192.0.2.${n}`;
}

export function a(name: string, n: number, ttl?: number): Spec {
  return { name, type: "A", value: ip(n), ...(ttl !== undefined && { ttl }) };
}

export function cname(name: string, n = 1): Spec {
  return { name, type: "CNAME", value: `t${n}.example.org.` };
}

export function mx(name: string, n: number, priority: number): Spec {
  return { name, type: "MX", value: `mx${n}.example.org.`, priority };
}

export function txt(name: string, value: string): Spec {
  return { name, type: "TXT", value };
}

export const secret = (name: string, n: number): Spec => txt(name, `${secretMark}-key-${n}`);

export const ttlOf = (n: number) => ttls[n % ttls.length];
