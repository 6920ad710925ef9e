/**
 * Copies bytes that are kept into memory of their own. Node slices short buffers, and compressed
 * output, from pools of 64 KiB: a kept buffer of 100 bytes would keep its whole pool.
 */
export function copyToOwnMemory(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
