import { cookieIn } from '../cookies.ts';
import { isHttps } from '../origin.ts';
import type { Call } from './call.ts';

const NAME = 'device';
/** Accounts that one browser is known to, the last ones that signed in there. */
const MAX_ACCOUNTS = 5;
const SECRETS = new RegExp(`^[\\w-]{43}(?:\\.[\\w-]{43}){0,${MAX_ACCOUNTS - 1}}$`);
/** The longest that browsers keep a cookie (RFC 6265bis, 5.5). */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

/**
 * The secrets that make the calling browser known to accounts, one for each that has signed in
 * there.
 */
export const deviceSecrets = ({ request }: Pick<Call, 'request'>): string[] => {
  const value = cookieIn(request.headers.cookie, NAME, SECRETS);
  return value === '' ? [] : value.split('.');
};

/**
 * Gives a browser the secret of the account that has signed in, beside those of other accounts.
 * Scripts do not see it, and other sites' forms do not send it.
 */
export function giveDeviceSecret(call: Call, secret: string): void {
  const { services, request, setCookie } = call;
  const others = deviceSecrets(call).filter((each) => each !== secret);
  const value = [secret, ...others].slice(0, MAX_ACCOUNTS).join('.');
  const secure = isHttps(request.server, services.config) ? '; Secure' : '';
  setCookie(`${NAME}=${value}; Path=/api; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure}`);
}
