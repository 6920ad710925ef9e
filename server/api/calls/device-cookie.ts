import { readCookie } from '../../base/cookies.ts';
import { isHttps } from '../../stores/origin.ts';
import type { Call } from './call.ts';

/**
 * Returns the cookie's name. Browsers refuse a `__Secure-` cookie from a page without https (RFC
 * 6265bis, 4.1.3.1).
 */
const getCookieName = ({ services, request }: Pick<Call, 'services' | 'request'>): string =>
  isHttps(request.server, services.config) ? '__Secure-device' : 'device';

/** Maximum number of accounts that know one browser; older sign-ins are dropped. */
const MAX_ACCOUNTS = 5;
const SECRET_PATTERN = /^[\w-]{43}$/;
const SECRETS_PATTERN = /^[\w.-]{43,400}$/;
/** The maximum lifetime of cookies in browsers (RFC 6265bis, 5.5). */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

/** Reads the calling browser's device secrets, one for each account that has signed in there. */
export const readDeviceSecrets = (call: Pick<Call, 'services' | 'request'>): string[] =>
  readCookie(call.request.headers.cookie, getCookieName(call), SECRETS_PATTERN)
    .split('.')
    .filter((secret) => SECRET_PATTERN.test(secret))
    .slice(0, MAX_ACCOUNTS);

/**
 * Adds the secret of the account that has signed in to the browser's cookie, before the secrets of
 * other accounts. Scripts cannot read the cookie, and other sites' forms do not send it.
 */
export function setDeviceCookie(call: Call, secret: string): void {
  const otherSecrets = readDeviceSecrets(call).filter((each) => each !== secret);
  const value = [secret, ...otherSecrets].slice(0, MAX_ACCOUNTS).join('.');
  const name = getCookieName(call);
  const secure = name.startsWith('__Secure-') ? '; Secure' : '';
  call.setCookie(`${name}=${value}; Path=/api; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure}`);
}
