/**
 * Types of DNS (IANA, "Resource Record (RR) TYPEs", 2025-10) whose data passes unchanged. The numbers are
 * the places of names in the data. Types of questions and messages are left out.
 */
const list = `A6 AFSDB:1 AMTRELAY:3 APL ATMA AVC BRID CDNSKEY CDS CERT CLA CSYNC DHCID DLV DNAME:0 DNSKEY DOA DS DSYNC:3
  EID EUI48 EUI64 GPOS HHIT HINFO HIP HTTPS:1 IPN IPSECKEY:3 ISDN KEY KX:1 L32 L64 LOC LP:1 MB:0 MD:0 MF:0 MG:0
  MINFO:0,1 MR:0 NAPTR:5 NID NIMLOC NINFO NSAP NSAP-PTR:0 NSEC:0 NSEC3 NSEC3PARAM NULL NXT:0 OPENPGPKEY PTR:0 PX:1,2
  RESINFO RKEY RP:0,1 RRSIG:7 RT:1 SIG:7 SINK SMIMEA SPF SSHFP SVCB:1 TA TALINK:0,1 TLSA URI WALLET WKS X25 ZONEMD`;

export const registeredTypes: ReadonlyMap<string, readonly number[]> = new Map(
  list.split(/\s+/).map((entry) => {
    const [name = "", places] = entry.split(":");
    return [name, places?.split(",").map(Number) ?? []];
  }),
);
