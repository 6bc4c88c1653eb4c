export { type CallOptions, type Client, type ClientOptions, createClient } from "./client";
export { contactReminder, contactReminderOfCommand } from "./contact";
export {
  type ErrorDetails,
  HttpStatusError,
  LegacyDnsError,
  LoginError,
  type Outcome,
  ProtocolError,
  RequestError,
  ServiceError,
  type ServiceErrorDetails,
  TransportError,
  type TransportErrorDetails,
} from "./errors";
export { LineReader } from "./lines";
export { type OperationName, operations, type Requests, type Responses } from "./operations";
export {
  type DomainFilter,
  type DomainRef,
  listDomains,
  listRecords,
  type RecordFilter,
  missingField,
  type ZoneListing,
} from "./listings";
export { PAGE_LENGTH } from "./pages";
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
  ZoneHeader,
} from "./entities";
export type {
  JobDetail,
  JobItem,
  JobRecord,
  MonitorHistory,
  MonitorPoint,
  MonitorSample,
} from "./job-entities";
