import { randomUUID } from 'node:crypto';
import type { Outbox } from '../mail/outbox.ts';

/** A text message; `to` is a number in E.164, like +447700900123. */
export type TextMessage = { to: string; text: string };

/** A message that was certainly not sent; after any other error it may have been sent. */
export class MessageRefused extends Error {}

/** Error codes of a connection that was never established. */
const CONNECTION_ERROR_CODES = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'];

const isNotConnected = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  CONNECTION_ERROR_CODES.includes(String(Reflect.get(error.cause, 'code')));

/**
 * Whether a status means that the gateway did not accept the message. A 408 or 5xx may also come
 * from a proxy after the gateway has accepted it.
 */
const isRefusedStatus = (status: number): boolean => status >= 400 && status < 500 && status !== 408;

/** Sends text messages. */
export type SmsTransport = {
  /**
   * @param storeId the sending store
   * @throws MessageRefused, or another error if the message may have been sent
   */
  send(message: TextMessage, storeId: string): Promise<void>;
};

/** Timeout of a request in ms; short, because a customer is waiting for the message. */
const TIMEOUT_MS = 10_000;

/**
 * Creates a transport that posts messages to an HTTP gateway, as `{"to": …, "text": …}`.
 * @param gatewayUrl the gateway's URL, with user and password if it requires them
 */
export function createHttpSmsTransport(gatewayUrl: string): SmsTransport {
  const { username, password } = new URL(gatewayUrl);
  const url = Object.assign(new URL(gatewayUrl), { username: '', password: '' });
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return {
    async send(message) {
      const responsePromise = fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(username === '' ? {} : { authorization: `Basic ${credentials}` }),
        },
        body: JSON.stringify(message),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const response = await responsePromise.catch((error: unknown) => {
        throw isNotConnected(error) ? new MessageRefused('The SMS gateway cannot be reached.', { cause: error }) : error;
      });
      await response.body?.cancel();
      if (response.ok) return;
      const reason = `The SMS gateway answered HTTP ${response.status}.`;
      throw isRefusedStatus(response.status) ? new MessageRefused(reason) : new Error(reason);
    },
  };
}

/** Creates a transport that writes text messages into the outbox, one file each. */
export function createOutboxSmsTransport(outbox: Outbox): SmsTransport {
  return {
    async send({ to, text }, storeId) {
      const recipient = { storeId, address: to };
      await outbox.write({ id: randomUUID(), kind: 'sms', recipient, content: `${to}\n${text}\n` });
    },
  };
}
