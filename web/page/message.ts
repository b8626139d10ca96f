// How messages of the engine are written: the length of a text in four bytes, the text, which is JSON, and bytes that it
// refers to. `crates/page` does the same.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A part of the bytes after the text. */
interface Blob {
  bytes: [from: number, length: number];
}

function isBlob(value: unknown): value is Blob {
  return typeof value === "object" && value !== null && Array.isArray((value as Partial<Blob>).bytes);
}

/** A message with this value, in which bytes may be. */
export function encode(value: unknown): Uint8Array<ArrayBuffer> {
  const blobs: Uint8Array[] = [];
  let length = 0;
  const text = encoder.encode(
    JSON.stringify(value, function (this: any, key: string, json: unknown) {
      const part = this[key];
      if (!(part instanceof Uint8Array)) return json;
      const blob: Blob = { bytes: [length, part.length] };
      blobs.push(part);
      length += part.length;
      return blob;
    }),
  );
  const message = new Uint8Array(4 + text.length + length);
  new DataView(message.buffer).setUint32(0, text.length, true);
  message.set(text, 4);
  let at = 4 + text.length;
  for (const blob of blobs) {
    message.set(blob, at);
    at += blob.length;
  }
  return message;
}

/** The value of a message. Bytes in it are parts of the message. */
export function decode<T>(message: Uint8Array): T {
  const length = new DataView(message.buffer, message.byteOffset).getUint32(0, true);
  const after = message.subarray(4 + length);
  return JSON.parse(decoder.decode(message.subarray(4, 4 + length)), (_, part: unknown) => {
    if (!isBlob(part)) return part;
    const [from, length] = part.bytes;
    return after.subarray(from, from + length);
  });
}
