/**
 * The entry point for the provider text in every resource's state. It and the signature `dynamic(type,
 * version)` never change: delete and refresh run the stored text of old deployments.
 */
import type * as pulumi from "@pulumi/pulumi";
import { dynamicProvider, operation } from "./frontends/dynamic/host";
import { domainShareProvider } from "./lifecycle/domain-share";
import { recordForm } from "./lifecycle/record";
import { recordBatchForm } from "./lifecycle/record-batch";
import { recordsProvider } from "./lifecycle/records";

/**
 * The provider of a resource type.
 * @param type the type's name, for example `Record`
 * @param version the version of the state's format
 * @throws Error if this version of the package does not have the type
 */
export function dynamic(type: string, version: number): pulumi.dynamic.ResourceProvider {
  if (version === 1 && type === "Record") return dynamicProvider(recordsProvider(recordForm, operation));
  if (version === 1 && type === "RecordBatch")
    return dynamicProvider(recordsProvider(recordBatchForm, operation));
  if (version === 1 && type === "DomainShare") return dynamicProvider(domainShareProvider(operation));
  const error = new Error(
    `pulumi-legacydns does not know the resource type ${type}, version ${version}, which is in this stack's state; install the newest version of the package that the stack was deployed with`,
  );
  error.stack = "";
  throw error;
}
