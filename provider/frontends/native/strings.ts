/** Strings of messages, coded by Node.js: the library loops over characters in JavaScript. */
import { BinaryReader, BinaryWriter } from "google-protobuf";

export function useNativeStrings(): void {
  BinaryReader.prototype.readString = function (this: BinaryReader): string {
    const { buffer, byteOffset, length } = this.readBytes();
    return Buffer.from(buffer, byteOffset, length).toString("utf8");
  };
  BinaryWriter.prototype.writeString = function (this: BinaryWriter, field: number, value?: string): void {
    if (value !== undefined && value !== null) this.writeBytes(field, Buffer.from(value, "utf8"));
  };
}
