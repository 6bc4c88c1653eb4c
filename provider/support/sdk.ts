/** The SDK's modules that this package uses. Its index takes longer to load than this package. */
import * as config from "@pulumi/pulumi/runtime/config";
import { serializeProperty } from "@pulumi/pulumi/runtime/rpc";
import { getMonitor, hasEngine, isDryRun } from "@pulumi/pulumi/runtime/settings";

export { Config } from "@pulumi/pulumi/config";
export { RunError } from "@pulumi/pulumi/errors";
export * as log from "@pulumi/pulumi/log";
export {
  all,
  isSecret,
  Output,
  output,
  secret,
  unsecret,
  type Input,
  type Inputs,
} from "@pulumi/pulumi/output";
export {
  ComponentResource,
  createUrn,
  CustomResource,
  mergeOptions,
  ProviderResource,
  Resource,
  type ComponentResourceOptions,
  type CustomResourceOptions,
  type ResourceOptions,
} from "@pulumi/pulumi/resource";

export const runtime = { ...config, serializeProperty, getMonitor, hasEngine, isDryRun };
