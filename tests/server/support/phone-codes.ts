import { join } from 'node:path';
import { expect } from 'vitest';
import { parseCode, readMessages } from '../../support/text-messages.ts';
import type { Shop } from './shop.ts';

let numbers = 0;
/** A British mobile number that no other test uses. */
export const newPhone = (): string => `+447400${String((numbers += 1)).padStart(6, '0')}`;

export type PhoneRequest = {
  shelfid: string;
  language?: string;
  remoteAddress?: string;
  cookie?: string | undefined;
  accesstoken?: string;
};

/** Requests a code for a number. */
export const requestPhoneCode = (shop: Shop, phone: string, asking: PhoneRequest) => {
  const { language = 'en', remoteAddress = '127.0.0.1', cookie, ...query } = asking;
  return shop.app.inject({
    method: 'POST',
    url: `/api/user/phone/code?${new URLSearchParams({ appid: 'web', ...query }).toString()}`,
    remoteAddress,
    headers: { 'content-type': 'text/xml', 'accept-language': language, ...(cookie === undefined ? {} : { cookie }) },
    payload: `<SendPhoneCode><Phone>${phone}</Phone></SendPhoneCode>`,
  });
};

/** Text messages to a number, the oldest first. */
export const readTextMessages = (shop: Shop, phone: string): Promise<string[]> =>
  readMessages(join(shop.folder, 'outbox'), phone);

/** A code from the text message, and the request id that the requesting browser stores. */
export type SentCode = { code: string; requestId: string };

export const parseRequestId = (body: string): string => /<RequestId>([^<]+)</.exec(body)?.[1] ?? '';

/** The one message that a call has sent. */
export async function captureSentCode(
  shop: Shop,
  phone: string,
  ask: () => ReturnType<typeof requestPhoneCode>,
): Promise<SentCode> {
  const before = await readTextMessages(shop, phone);
  const { statusCode, body } = await ask();
  expect(statusCode, body).toBe(200);
  const [message, ...more] = (await readTextMessages(shop, phone)).filter((each) => !before.includes(each));
  // Two messages may hold the same code.
  expect(more).toEqual([]);
  return { code: parseCode(message ?? before.at(-1)), requestId: parseRequestId(body) };
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
