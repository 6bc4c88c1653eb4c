/**
 * Strings of the protocol's messages, coded by Node.js. The library's coder loops over characters in
 * JavaScript. A zone with 100,000 records has four million characters, and a check and a diff contain it five
 * times.
 */
import { BinaryReader, BinaryWriter } from "google-protobuf";

/** Replaces the library's two methods in this process. */
export function useNativeStrings(): void {
  BinaryReader.prototype.readString = function (this: BinaryReader): string {
    const { buffer, byteOffset, length } = this.readBytes();
    return Buffer.from(buffer, byteOffset, length).toString("utf8");
  };
  BinaryWriter.prototype.writeString = function (this: BinaryWriter, field: number, value?: string): void {
    if (value !== undefined && value !== null) this.writeBytes(field, Buffer.from(value, "utf8"));
  };
}
