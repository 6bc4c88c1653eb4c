/** A and AAAA: addresses (RFC 1035 §3.4.1, RFC 3596). */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { trimSpace } from "../quoting";
import { reason } from "../../problems";
import { wrong, type Data, type RecordType, type Source } from "./type";

function address({ value: given, show }: Source, family: 4 | 6, example: string): Data {
  const value = trimSpace(given);
  const found = isIP(value);
  // An interface ("%eth0") means nothing in DNS.
  if (found === 0 || value.includes("%"))
    return wrong(reason("address.unfit", { given: show(value), family, example: JSON.stringify(example) }));
  if (found !== family)
    return wrong(
      reason("address.family", { given: show(value), family: found, use: found === 4 ? "A" : "AAAA" }),
    );
  return { value: family === 4 ? value : canonicalIPv6(value) };
}

/** RFC 5952 §4, and §5 for IPv4-mapped addresses. */
function canonicalIPv6(text: string): string {
  const parsed = ipaddr.IPv6.parse(text.includes(".") ? hexTail(text) : text);
  return parsed.isIPv4MappedAddress()
    ? `::ffff:${parsed.toIPv4Address().toString()}`
    : parsed.toRFC5952String();
}

/** ipaddr.js 2.5.0 takes the deprecated form `::192.0.2.1` for an IPv4-mapped address. */
function hexTail(text: string): string {
  const colon = text.lastIndexOf(":") + 1;
  const octets = ipaddr.IPv4.parse(text.slice(colon)).toByteArray();
  const hex = octets.map((octet) => octet.toString(16).padStart(2, "0")).join("");
  return `${text.slice(0, colon)}${hex.slice(0, 4)}:${hex.slice(4)}`;
}

export const a: RecordType<"A"> = {
  name: "A",
  read: (source) => address(source, 4, "192.0.2.1"),
  fields: ["word"],
  form: "an address, such as 192.0.2.1",
  isAddress: true,
  checks: ["private-address"],
};

export const aaaa: RecordType<"AAAA"> = {
  name: "AAAA",
  read: (source) => address(source, 6, "2001:db8::1"),
  fields: ["word"],
  form: "an address, such as 2001:db8::1",
  limit: "aaaaRecords",
  isAddress: true,
  checks: ["private-address"],
};
