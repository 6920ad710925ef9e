/**
 * The same bytes in memory of their own, for those that are kept. Node cuts short buffers, and what
 * it compresses, out of pools of 64 KiB: a kept buffer of 100 bytes would keep all of its pool.
 */
export function inOwnMemory(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
