/**
 * Seconds after which a caller may retry while the database is unavailable: an outage takes seconds
 * or minutes.
 */
export const UNAVAILABLE_RETRY_SECONDS = 5;

/** Error code of the embedded database when its thread has exited or is closed. */
export const EMBEDDED_AWAY = 'EMBEDDED_AWAY';

/**
 * Error codes of PostgreSQL (its manual, appendix A) and of the network that mean that the database
 * is unavailable.
 */
const UNAVAILABLE_CODES = new Set([
  EMBEDDED_AWAY,
  '53300', // too many connections
  '57014', // cancelled, as by statement_timeout
  '57P01', // the connection was ended by an operator
  '57P02', // the server has crashed
  '57P03', // the server is starting or stopping
  '57P05', // the connection was idle for too long
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Messages of pg, whose connection errors have no code. */
const UNAVAILABLE_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|timeout expired)/;

/**
 * Whether an error means that the database is unavailable: its connections are cut or refused, or
 * it takes too long. A running transaction may have been committed or not. Calls to other servers
 * fail with their own error types, and have such an error only as their cause.
 */
function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string' && (UNAVAILABLE_CODES.has(code) || code.startsWith('08'))) return true;
  return UNAVAILABLE_MESSAGES.test(error.message);
}

/**
 * The HTTP status for an error thrown while a request was handled. Status 4xx comes first: a
 * request that its caller aborts has a network code, too.
 */
export function getHttpStatus(error: unknown): number {
  const status = error instanceof Error ? Number(Reflect.get(error, 'statusCode') ?? 500) : 500;
  if (status >= 400 && status < 500) return status;
  return isDatabaseUnavailable(error) ? 503 : status;
}
