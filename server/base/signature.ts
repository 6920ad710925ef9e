import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Milliseconds by which a signature's date may differ from the clock, in either direction: limits
 * the replay of an intercepted message.
 */
const TOLERANCE_MS = 5 * 60_000;

const computeMac = (body: string, secret: string, signedAt: number): Buffer =>
  createHmac('sha256', secret).update(`${signedAt}.${body}`).digest();

/**
 * The signature header of a message from a gateway to a store. @param now in milliseconds since
 * 1970
 */
export const signBody = (body: string, secret: string, now: number): string =>
  `t=${now},v1=${computeMac(body, secret, now).toString('hex')}`;

export function isSigned(body: string, header: string, secret: string, now: number): boolean {
  const [, signedAt = '', mac = ''] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (mac === '' || Math.abs(now - Number(signedAt)) > TOLERANCE_MS) return false;
  return timingSafeEqual(Buffer.from(mac, 'hex'), computeMac(body, secret, Number(signedAt)));
}
