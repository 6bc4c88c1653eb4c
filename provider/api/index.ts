/**
 * The wire: what the other rooms may use of it.
 */
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
  PAGE_LENGTH,
  type RecordFilter,
  untold,
  type ZoneListing,
} from "./pages";
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
  JobDetail,
  JobItem,
  JobRecord,
  LiveRecord,
  MonitorHistory,
  MonitorPoint,
  MonitorSample,
  PurviewEntry,
  ZoneHeader,
} from "./entities";
