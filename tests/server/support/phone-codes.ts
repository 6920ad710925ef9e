import { join } from 'node:path';
import { expect } from 'vitest';
import { codeIn, messagesIn } from '../../support/text-messages.ts';
import type { Shop } from './shop.ts';

let numbers = 0;
/** A British mobile number that no test has asked about. */
export const newPhone = (): string => `+447400${String((numbers += 1)).padStart(6, '0')}`;

export type Asking = {
  shelfid: string;
  language?: string;
  remoteAddress?: string;
  cookie?: string | undefined;
  accesstoken?: string;
};

/** Asks a shop to send a code to a number. */
export const askForCode = (shop: Shop, phone: string, asking: Asking) => {
  const { language = 'en', remoteAddress = '127.0.0.1', cookie, ...query } = asking;
  return shop.app.inject({
    method: 'POST',
    url: `/api/user/phone/code?${new URLSearchParams({ appid: 'web', ...query }).toString()}`,
    remoteAddress,
    headers: { 'content-type': 'text/xml', 'accept-language': language, ...(cookie === undefined ? {} : { cookie }) },
    payload: `<SendPhoneCode><Phone>${phone}</Phone></SendPhoneCode>`,
  });
};

/** The text messages to a number, the oldest first. */
export const messagesOf = (shop: Shop, phone: string): Promise<string[]> => messagesIn(join(shop.folder, 'outbox'), phone);

/**
 * A code as its number's owner reads it, and the id of the request that the asking browser has
 * kept.
 */
export type SentCode = { code: string; requestId: string };

export const requestIdIn = (body: string): string => /<RequestId>([^<]+)</.exec(body)?.[1] ?? '';

/** The one message that a call has sent. */
export async function codeSentBy(shop: Shop, phone: string, ask: () => ReturnType<typeof askForCode>): Promise<SentCode> {
  const before = await messagesOf(shop, phone);
  const { statusCode, body } = await ask();
  expect(statusCode, body).toBe(200);
  const [message, ...more] = (await messagesOf(shop, phone)).filter((each) => !before.includes(each));
  // Two messages may hold the same code.
  expect(more).toEqual([]);
  return { code: codeIn(message ?? before.at(-1)), requestId: requestIdIn(body) };
}

export const signInByCode = (
  shop: Shop,
  phone: string,
  { code, requestId }: Partial<SentCode>,
  query: { shelfid: string; deviceid?: string | undefined },
) =>
  shop.ask('signInByPhone', '/user/phone/signin', {
    query: { ...query, appid: 'web' },
    body: `<PhoneSignIn><Phone>${phone}</Phone><Code>${code}</Code>${
      requestId === undefined ? '' : `<RequestId>${requestId}</RequestId>`
    }</PhoneSignIn>`,
  });
