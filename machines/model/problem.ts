/**
 * Every failure at the boundary of the shop, as plain values: ports reject with one of these and
 * machines keep them in context, so a trace shows what failed. The screen words "offline" and
 * "refused" differently.
 */
export type Problem =
  | { kind: 'unauthorized' }
  /** `supportEmail` is the contact address that the server names. */
  | { kind: 'invalidStore'; supportEmail?: string }
  /** The server could not be reached at all; `deviceOffline` if the device has no connection. */
  | { kind: 'offline'; deviceOffline?: true }
  /** No answer within the limit: a call that changes something may or may not have happened. */
  | { kind: 'timeout' }
  /** An answer without an error document; `message` reads `HTTP Error: {status}`. */
  | { kind: 'http'; status: number; message: string }
  /**
   * The server understood and refused; `code` is a stable identifier, `message` the server's text.
   * A rate limit says when the call may be sent again.
   */
  | { kind: 'refused'; code: string; message: string; retryAfterSeconds?: number }
  /**
   * An answer that cannot be parsed; `field` is the dotted path, empty if the document itself is
   * invalid.
   */
  | { kind: 'malformed'; call: string; field: string; message: string };

const problemKinds: readonly string[] = ['unauthorized', 'invalidStore', 'offline', 'timeout', 'http', 'refused', 'malformed'];

export const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'kind' in value && problemKinds.includes(String(value.kind));

/**
 * A port's rejection as a `Problem`; any other value is a defect, reported as `malformed` with its
 * text.
 */
export const toProblem = (error: unknown): Problem =>
  isProblem(error) ? error : { kind: 'malformed', call: 'port', field: '', message: String(error) };

/** True if the server did not answer, or a proxy in front of it answered instead. */
export const isUnreachable = (problem: Problem): boolean =>
  problem.kind === 'offline' || problem.kind === 'timeout' || (problem.kind === 'http' && problem.status >= 500);

export const isDeviceOffline = (problem: Problem): boolean => problem.kind === 'offline' && problem.deviceOffline === true;

/** True if the call may have changed something although no valid answer came. */
export const isOutcomeUnknown = (problem: Problem): boolean =>
  isUnreachable(problem) || problem.kind === 'malformed' || (problem.kind === 'refused' && problem.code === 'payment_unknown');
