import { readFileSync } from "node:fs";
import type { Server } from "node:net";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { engineAddress, EngineLine } from "../provider/support/engine-line";
import { Plugin } from "./plugin";
import { serve, type Identity } from "./serve";

interface Schema {
  readonly version: string;
  readonly resources: Readonly<
    Record<string, { readonly inputProperties: Readonly<Record<string, unknown>> }>
  >;
}

function identityOf(file: string): Identity {
  const schema = readFileSync(file, "utf8");
  const { version, resources } = JSON.parse(schema) as Schema;
  const inputs = Object.entries(resources).map(([token, { inputProperties }]) => [
    token,
    Object.keys(inputProperties),
  ]);
  return { version, schema, inputs: Object.fromEntries(inputs) as Identity["inputs"] };
}

/** @param folder the folder of schema.json */
export function serveOn(server: Server, folder: string, args: readonly string[]): void {
  const address = engineAddress(args);
  const line = new EngineLine(
    address,
    address === undefined ? undefined : new EngineClient(address, grpc.credentials.createInsecure()),
  );
  serve(server, new Plugin(line), identityOf(join(folder, "schema.json")));
}
