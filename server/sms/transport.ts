import { randomUUID } from 'node:crypto';
import type { Outbox } from '../mail/outbox.ts';

/** A text message; `to` is a number in E.164, like +447700900123. */
export type TextMessage = { to: string; text: string };

/** A message that was certainly not sent; after any other error it may have been. */
export class MessageRefused extends Error {}

/** The connection was never made. */
const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'];

const isNotConnected = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && NOT_CONNECTED.includes(String(Reflect.get(error.cause, 'code')));

/** How text messages leave the shop. */
export type SmsTransport = {
  /**
   * @param storeId the store that sends it
   * @throws MessageRefused, or another error when the message may have been sent
   */
  send(message: TextMessage, storeId: string): Promise<void>;
};

/** Milliseconds within which the gateway must have taken a message: somebody waits for it. */
const PATIENCE = 10_000;

/** Hands messages to a gateway over HTTP, as `{"to": …, "text": …}`. @param address with the user and password, where it wants them */
export function httpSms(address: string): SmsTransport {
  const { username, password } = new URL(address);
  const url = Object.assign(new URL(address), { username: '', password: '' });
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return {
    async send(message) {
      const sending = fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(username === '' ? {} : { authorization: `Basic ${credentials}` }),
        },
        body: JSON.stringify(message),
        redirect: 'error',
        signal: AbortSignal.timeout(PATIENCE),
      });
      const response = await sending.catch((error: unknown) => {
        throw isNotConnected(error)
          ? new MessageRefused('The gateway of text messages cannot be reached.', { cause: error })
          : error;
      });
      await response.body?.cancel();
      if (!response.ok) throw new MessageRefused(`The gateway of text messages answers ${response.status}.`);
    },
  };
}

/** Writes messages into the outbox, a file for each. */
export function outboxSms(outbox: Outbox): SmsTransport {
  return {
    async send({ to, text }, storeId) {
      const recipient = { storeId, address: to };
      await outbox.write({ id: randomUUID(), kind: 'sms', recipient, content: `${to}\n${text}\n` });
    },
  };
}
