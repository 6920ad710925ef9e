/**
 * Everything that can go wrong between us and the world, as plain values: ports reject with one of these and machines keep
 * them in context, so a trace shows what failed. Offline and refused are different words on the screen.
 */
export type Problem =
  | { kind: 'unauthorized' }
  /** `supportEmail` is whom the server says to write to. */
  | { kind: 'invalidStore'; supportEmail?: string }
  /** The server could not be reached at all; `deviceOffline` where the device has no connection. */
  | { kind: 'offline'; deviceOffline?: true }
  /** No answer within the limit: a call that changes something may or may not have happened. */
  | { kind: 'timeout' }
  /** An answer without an error document; `message` reads `HTTP Error: {status}`. */
  | { kind: 'http'; status: number; message: string }
  /**
   * The server understood and said no; `code` is a stable word, `message` the server's sentence. A
   * rate limit says when the call may be sent again.
   */
  | { kind: 'refused'; code: string; message: string; retryAfterSeconds?: number }
  /** An answer that cannot be read; `field` is the dotted path, empty when the document itself is broken. */
  | { kind: 'malformed'; call: string; field: string; message: string };

const kinds: readonly string[] = ['unauthorized', 'invalidStore', 'offline', 'timeout', 'http', 'refused', 'malformed'];

export const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'kind' in value && kinds.includes(String(value.kind));

/** What a port rejected with, as a Problem; anything else is a defect, named as such and kept plain. */
export const problemOf = (error: unknown): Problem =>
  isProblem(error) ? error : { kind: 'malformed', call: 'port', field: '', message: String(error) };

/** True when the server did not answer, or something in front of it did in its place. */
export const isUnreached = (problem: Problem): boolean =>
  problem.kind === 'offline' || problem.kind === 'timeout' || (problem.kind === 'http' && problem.status >= 500);

export const isDeviceOffline = (problem: Problem): boolean => problem.kind === 'offline' && problem.deviceOffline === true;

/** True when the call may have changed something although no answer came. */
export const mayHaveHappened = (problem: Problem): boolean =>
  isUnreached(problem) || problem.kind === 'malformed' || (problem.kind === 'refused' && problem.code === 'payment_unknown');
