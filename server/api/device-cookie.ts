import { cookieIn } from '../cookies.ts';
import { isHttps } from '../origin.ts';
import type { Call } from './call.ts';

const NAME = 'device';
const SECRET = /^[\w-]{43}$/;
/** The longest that browsers keep a cookie (RFC 6265bis, 5.5). */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

/** The secret that makes the calling browser known to an account, if it has brought one. */
export const deviceSecret = ({ request }: Pick<Call, 'request'>): string | undefined =>
  cookieIn(request.headers.cookie, NAME, SECRET) || undefined;

/** Gives a browser its secret. Scripts do not see it, and other sites' forms do not send it. */
export function giveDeviceSecret({ services, request, setCookie }: Call, secret: string): void {
  const secure = isHttps(request.server, services.config) ? '; Secure' : '';
  setCookie(`${NAME}=${secret}; Path=/api; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure}`);
}
