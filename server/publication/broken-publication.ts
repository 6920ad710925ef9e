/** A book that cannot or must not be opened; the message says why, in words fit for an error answer. */
export class BrokenPublication extends Error {
  override name = 'BrokenPublication';
}

/** Throws a BrokenPublication unless `condition` holds. */
export function demand(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new BrokenPublication(reason);
}
