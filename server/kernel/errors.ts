/** The kinds of errors that reach callers; `server/api/calls/error-answers.ts` answers each. */
export type ErrorKind =
  | 'bad_request'
  | 'unauthorized'
  | 'payment_failed'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'unsupported_type'
  /** another call was made with the same idempotency key */
  | 'key_reused'
  | 'too_many_requests'
  | 'internal'
  | 'not_implemented'
  /**
   * a payment gateway, sign-in provider or SMS gateway gave no usable response; the outcome of a
   * payment is unknown
   */
  | 'payment_unknown'
  | 'unavailable';

/** `code` names the reason within its kind; `details` are values that the caller needs. */
type Reason = { code?: string; details?: Record<string, string | number> };

/**
 * A refused request, with its reason. Any other thrown error is a defect, whose message never
 * reaches the caller.
 */
export class DomainError extends Error {
  readonly kind: ErrorKind;
  readonly code: string | undefined;
  readonly details: Record<string, string | number>;

  constructor(kind: ErrorKind, message: string, { code, details = {} }: Reason = {}) {
    super(message);
    this.name = 'DomainError';
    this.kind = kind;
    this.code = code;
    this.details = details;
  }

  /** The code, or the kind where there is no code. */
  get reason(): string {
    return this.code ?? this.kind;
  }
}

export const unauthorized = (): DomainError => new DomainError('unauthorized', 'Please sign in.');
export const notFound = (name: string): DomainError => new DomainError('not_found', `There is no ${name} with this id.`);
export const invalidStore = (): DomainError =>
  new DomainError('not_found', 'There is no store with this id.', { code: 'invalid_store' });

/**
 * @param seconds to wait, from the limit of new accounts; 0 allows the call
 * @throws DomainError too_many_requests
 */
export function requireAccountsLeft(seconds: number): void {
  if (seconds > 0)
    throw new DomainError('too_many_requests', 'Too many accounts were created from here. Please try again later.', {
      details: { retryAfterSeconds: seconds },
    });
}

/**
 * @param seconds to wait, from a rate limit; 0 allows the call
 * @throws DomainError too_many_requests
 */
export function requireNoWait(seconds: number): void {
  if (seconds > 0)
    throw new DomainError('too_many_requests', 'Too many attempts. Please try again later.', {
      details: { retryAfterSeconds: seconds },
    });
}
