/** The reason why a book cannot be opened; pages have a sentence for each code. */
export type BrokenCode = 'broken_book' | 'book_too_deep' | 'book_too_large' | 'book_too_many' | 'book_protected';

/**
 * A book that cannot or must not be opened; the message gives the reason, fit for an error answer.
 */
export class BrokenPublication extends Error {
  override name = 'BrokenPublication';
  readonly code: BrokenCode;

  constructor(message: string, code: BrokenCode = 'broken_book') {
    super(message);
    this.code = code;
  }
}

/** Throws a BrokenPublication unless `condition` holds. */
export function assertReadable(condition: boolean, reason: string, code?: BrokenCode): asserts condition {
  if (!condition) throw new BrokenPublication(reason, code);
}
