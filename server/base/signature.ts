import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Milliseconds by which a signature's date may differ from the clock, to either side: an old
 * message that was overheard says nothing.
 */
const TOLERANCE_MS = 5 * 60_000;

const macOf = (body: string, secret: string, at: number): Buffer => createHmac('sha256', secret).update(`${at}.${body}`).digest();

/** The header that shows a store that a message is its gateway's. @param now in milliseconds since 1970 */
export const signed = (body: string, secret: string, now: number): string =>
  `t=${now},v1=${macOf(body, secret, now).toString('hex')}`;

export function isSigned(body: string, header: string, secret: string, now: number): boolean {
  const [, at = '', mac = ''] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (mac === '' || Math.abs(now - Number(at)) > TOLERANCE_MS) return false;
  return timingSafeEqual(Buffer.from(mac, 'hex'), macOf(body, secret, Number(at)));
}
