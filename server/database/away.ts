/**
 * Seconds after which a caller may try again while the database is away: it is back within some, or
 * within minutes.
 */
export const AWAY_RETRY_SECONDS = 5;

/** Code of an error of the embedded database: its thread has ended, or is closed. */
export const EMBEDDED_AWAY = 'EMBEDDED_AWAY';

/**
 * Codes of PostgreSQL (its manual, appendix A) and of the network for a database that answers no
 * query now.
 */
const AWAY_CODES = new Set([
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

/** Messages of pg, whose errors about connections have no code. */
const AWAY_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|timeout expired)/;

/**
 * Whether an error says that the database cannot be asked at the moment: its connections are cut or
 * refused, or it takes too long. A change whose transaction was under way may have been made or
 * not. Calls to other servers fail by errors of their own kinds, which only hold such a one as
 * their cause.
 */
function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string' && (AWAY_CODES.has(code) || code.startsWith('08'))) return true;
  return AWAY_MESSAGES.test(error.message);
}

/**
 * The HTTP status of what was thrown while a request was handled. A bad request comes first: one
 * that its caller breaks off has the network's code, too.
 */
export function statusOf(error: unknown): number {
  const told = error instanceof Error ? Number(Reflect.get(error, 'statusCode') ?? 500) : 500;
  if (told >= 400 && told < 500) return told;
  return isDatabaseAway(error) ? 503 : told;
}
