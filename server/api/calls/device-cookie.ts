import { cookieIn } from '../../base/cookies.ts';
import { isHttps } from '../../stores/origin.ts';
import type { Call } from './call.ts';

/** With https, browsers let no page set it that came without (RFC 6265bis, 4.1.3.1). */
const nameFor = ({ services, request }: Pick<Call, 'services' | 'request'>): string =>
  isHttps(request.server, services.config) ? '__Secure-device' : 'device';
/** Accounts that one browser is known to, the last ones that signed in there. */
const MAX_ACCOUNTS = 5;
const SECRET = /^[\w-]{43}$/;
const SECRETS = /^[\w.-]{43,400}$/;
/** The longest that browsers keep a cookie (RFC 6265bis, 5.5). */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

/**
 * The secrets that make the calling browser known to accounts, one for each that has signed in
 * there.
 */
export const deviceSecrets = (call: Pick<Call, 'services' | 'request'>): string[] =>
  cookieIn(call.request.headers.cookie, nameFor(call), SECRETS)
    .split('.')
    .filter((secret) => SECRET.test(secret))
    .slice(0, MAX_ACCOUNTS);

/**
 * Gives a browser the secret of the account that has signed in, beside those of other accounts.
 * Scripts do not see it, and other sites' forms do not send it.
 */
export function giveDeviceSecret(call: Call, secret: string): void {
  const others = deviceSecrets(call).filter((each) => each !== secret);
  const value = [secret, ...others].slice(0, MAX_ACCOUNTS).join('.');
  const name = nameFor(call);
  const secure = name.startsWith('__Secure-') ? '; Secure' : '';
  call.setCookie(`${name}=${value}; Path=/api; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure}`);
}
