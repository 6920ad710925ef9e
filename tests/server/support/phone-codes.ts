import { join } from 'node:path';
import { expect } from 'vitest';
import { parseCode, readMessages } from '../../support/text-messages.ts';
import type { Shop } from './shop.ts';

let phoneCount = 0;
/** A British mobile number that no other test uses. */
export const newPhone = (): string => `+447400${String((phoneCount += 1)).padStart(6, '0')}`;

export type PhoneRequest = {
  shelfid: string;
  language?: string;
  remoteAddress?: string;
  cookie?: string | undefined;
  accesstoken?: string;
};

/** Requests a code for a telephone number. */
export const requestPhoneCode = (shop: Shop, phone: string, request: PhoneRequest) => {
  const { language = 'en', remoteAddress = '127.0.0.1', cookie, ...query } = request;
  return shop.app.inject({
    method: 'POST',
    url: `/api/user/phone/code?${new URLSearchParams({ appid: 'web', ...query }).toString()}`,
    remoteAddress,
    headers: { 'content-type': 'text/xml', 'accept-language': language, ...(cookie === undefined ? {} : { cookie }) },
    payload: `<SendPhoneCode><Phone>${phone}</Phone></SendPhoneCode>`,
  });
};

/** Text messages to a telephone number, oldest first. */
export const readTextMessages = (shop: Shop, phone: string): Promise<string[]> =>
  readMessages(join(shop.folder, 'outbox'), phone);

/** A code from the text message, and the request id that the requesting browser stores. */
export type SentCode = { code: string; requestId: string };

export const parseRequestId = (body: string): string => /<RequestId>([^<]+)</.exec(body)?.[1] ?? '';

/** Sends a request for a code. @returns the code and the request id from its only message */
export async function captureSentCode(
  shop: Shop,
  phone: string,
  sendRequest: () => ReturnType<typeof requestPhoneCode>,
): Promise<SentCode> {
  const messagesBefore = await readTextMessages(shop, phone);
  const { statusCode, body } = await sendRequest();
  expect(statusCode, body).toBe(200);
  const [message, ...otherMessages] = (await readTextMessages(shop, phone)).filter((each) => !messagesBefore.includes(each));
  expect(otherMessages).toEqual([]);
  // A message with the same code as an earlier one is equal to that one.
  return { code: parseCode(message ?? messagesBefore.at(-1)), requestId: parseRequestId(body) };
}

export const signInByCode = (
  shop: Shop,
  phone: string,
  { code, requestId }: Partial<SentCode>,
  query: { shelfid: string; deviceid?: string | undefined },
) =>
  shop.call('signInByPhone', '/user/phone/signin', {
    query: { ...query, appid: 'web' },
    body: `<PhoneSignIn><Phone>${phone}</Phone><Code>${code}</Code>${
      requestId === undefined ? '' : `<RequestId>${requestId}</RequestId>`
    }</PhoneSignIn>`,
  });
