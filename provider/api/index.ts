export { type CallOptions, type Client, type ClientOptions, createClient } from "./client";
export {
  failureReason,
  HttpStatusError,
  LegacyDnsError,
  LoginError,
  type Outcome,
  ProtocolError,
  RequestError,
  ServiceError,
  type ServiceErrorDetails,
  TransportError,
} from "./errors";
export { type OperationName, operations, type Requests, type Responses } from "./operations";
export {
  type DomainFilter,
  type DomainKeys,
  domainKinds,
  domainText,
  listDomains,
  listRecords,
  type RecordFilter,
  missingField,
  type ZoneListing,
} from "./listings";
export { PurviewReader } from "./purview";
export {
  createHttpTransport,
  type HttpTransportOptions,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "./transport";
export type {
  CustomLine,
  DomainBrief,
  DomainCounters,
  DomainDetail,
  DomainShareEntry,
  DomainSummary,
  LiveRecord,
  PurviewEntry,
} from "./entities";
export type {
  JobDetail,
  JobItem,
  JobRecord,
  MonitorHistory,
  MonitorPoint,
  MonitorSample,
} from "./job-entities";
