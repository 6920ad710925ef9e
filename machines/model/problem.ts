/**
 * A failure of a call to the outside, as a plain value: ports reject with a `Problem` and machines
 * keep it in their context, so that a trace shows what failed.
 */
export type Problem =
  | { kind: 'unauthorized' }
  /** `supportEmail` is the contact address that the server names. */
  | { kind: 'invalidStore'; supportEmail?: string }
  /** The server could not be reached at all; `deviceOffline` if the device has no connection. */
  | { kind: 'offline'; deviceOffline?: true }
  /** No response within the request timeout: the server may or may not have made a change. */
  | { kind: 'timeout' }
  /** An error response without an error document; `message` reads `HTTP Error: {status}`. */
  | { kind: 'http'; status: number; message: string }
  /**
   * The server refused the request; `code` is a stable identifier, `message` the server's text.
   * `retryAfterSeconds` is set by rate limits.
   */
  | { kind: 'refused'; code: string; message: string; retryAfterSeconds?: number }
  /**
   * A response that cannot be parsed; `field` is the dotted path of the invalid field, empty if the
   * document itself is invalid.
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

/** True if the server did not respond, or a 5xx response came, for example from a proxy. */
export const isUnreachable = (problem: Problem): boolean =>
  problem.kind === 'offline' || problem.kind === 'timeout' || (problem.kind === 'http' && problem.status >= 500);

export const isDeviceOffline = (problem: Problem): boolean => problem.kind === 'offline' && problem.deviceOffline === true;

/** True if the server may have made a change although no valid response arrived. */
export const isOutcomeUnknown = (problem: Problem): boolean =>
  isUnreachable(problem) || problem.kind === 'malformed' || (problem.kind === 'refused' && problem.code === 'payment_unknown');
