/** Whether bytes carry nothing: encoders fill up with zeros or ones. */
export function isFill(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0) || bytes.every((byte) => byte === 0xff);
}
