import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import { MessageRefused } from '../../../server/sms/transport.ts';
import { parseCode } from '../../support/text-messages.ts';
import {
  type PhoneRequest,
  requestPhoneCode,
  captureSentCode,
  readTextMessages,
  newPhone,
  parseRequestId,
  type SentCode,
  signInByCode,
} from '../support/phone-codes.ts';
import { openShop, type Shop } from '../support/shop.ts';

const MINUTE_MS = 60_000;

let shop: Shop;
let shelfid: string;
beforeAll(async () => {
  shop = await openShop();
  shelfid = await newStore();
});
afterAll(() => shop.close());

const newStore = () => shop.store({ providers: [{ kind: 'phone', country: 'GB' }], properties: { SmsCountries: ['GB'] } });
const requestCode = (phone: string, request: Partial<PhoneRequest> = {}) =>
  requestPhoneCode(shop, phone, { shelfid, ...request });
const requestAndReadCode = (phone: string, request: Partial<PhoneRequest> = {}) =>
  captureSentCode(shop, phone, () => requestCode(phone, request));
const signIn = (phone: string, sentCode: SentCode, store = shelfid) => signInByCode(shop, phone, sentCode, { shelfid: store });
const exhaust = (subject: string, store = shelfid) =>
  shop.db
    .insertInto('rate_limit_counters')
    .values({ store_id: store, subject, calls: 1_000_000, window_ends_at: new Date(Date.now() + 60 * MINUTE_MS) })
    .onConflict((conflict) => conflict.columns(['store_id', 'subject']).doUpdateSet({ calls: 1_000_000 }))
    .execute();
/** Creates a phone number whose limit strangers in many networks have used up. */
const newExhaustedPhone = async (): Promise<string> => {
  const phone = newPhone();
  await exhaust(`sms-phone:${phone}`);
  return phone;
};
const setExpiry = (phone: string, minutes: number) =>
  shop.db
    .updateTable('shared_phone_codes')
    .set({ expires_at: new Date(Date.now() + minutes * MINUTE_MS) })
    .where('phone', '=', phone)
    .execute();
const codeExhausted = { status: 409, value: { Code: 'code_over' } };

test('a shared code lets the owner sign in on an unknown device, however many codes strangers have requested', async () => {
  const phone = newPhone();
  const { value } = await signIn(phone, await requestAndReadCode(phone));
  await exhaust(`sms-phone:${phone}`);
  const secondResponse = await signIn(phone, await requestAndReadCode(phone));
  expect(secondResponse).toMatchObject({ status: 200, value: { UserId: (value as { UserId: string }).UserId } });
});

test('a shared code is sent in one message for all browsers that request it within the hour, and is used once', async () => {
  const phone = await newExhaustedPhone();
  const { code, requestId: strangerRequestId } = await requestAndReadCode(phone, { remoteAddress: '10.8.0.1' });
  expect(code).toMatch(/^\d{10}$/);
  const response = await requestCode(phone, { remoteAddress: '10.8.0.2' });
  const sentAt = Date.parse(/<SentAt>([^<]+)</.exec(response.body)?.[1] ?? '');
  expect(Math.abs(Date.now() - sentAt)).toBeLessThan(MINUTE_MS);
  expect(await readTextMessages(shop, phone)).toHaveLength(1);
  expect((await signIn(phone, { code, requestId: parseRequestId(response.body) })).status).toBe(200);
  expect(await signIn(phone, { code, requestId: strangerRequestId })).toMatchObject(codeExhausted);
  const nextCode = await requestAndReadCode(phone, { remoteAddress: '10.8.0.2' });
  expect(nextCode.code).not.toBe(code);
});

test('a shared code is used by one of two browsers that enter it at the same time', async () => {
  const phone = await newExhaustedPhone();
  const { code, requestId } = await requestAndReadCode(phone);
  const otherRequestId = parseRequestId((await requestCode(phone)).body);
  const responses = await Promise.all(
    [requestId, otherRequestId, requestId, otherRequestId].map((id) => signIn(phone, { code, requestId: id })),
  );
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
});

test('a shared code is sent once to browsers that request it at the same time', async () => {
  const phone = await newExhaustedPhone();
  const responses = await Promise.all(
    Array.from({ length: 5 }, (_, index) => requestCode(phone, { remoteAddress: `10.8.1.${index}` })),
  );
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  const [message, ...otherMessages] = await readTextMessages(shop, phone);
  expect(otherMessages).toEqual([]);
  const lastRequestId = parseRequestId(responses.at(-1)?.body ?? '');
  expect((await signIn(phone, { code: parseCode(message), requestId: lastRequestId })).status).toBe(200);
});

test('a shared code has separate attempts for the owner and for strangers', async () => {
  const phone = await newExhaustedPhone();
  const { requestId: strangerRequestId } = await requestAndReadCode(phone, { remoteAddress: '10.8.2.1' });
  const wrongCode = { code: '0000000000', requestId: strangerRequestId };
  for (let attempt = 0; attempt < 5; attempt += 1)
    expect(await signIn(phone, wrongCode)).toMatchObject({ status: 409, value: { Code: 'code_wrong' } });
  expect(await signIn(phone, wrongCode)).toMatchObject(codeExhausted);
  const { body } = await requestCode(phone, { remoteAddress: '10.8.2.2' });
  const code = parseCode((await readTextMessages(shop, phone)).at(-1));
  expect((await signIn(phone, { code, requestId: parseRequestId(body) })).status).toBe(200);
});

test('a shared code is replaced in the last ten minutes of its hour, and works until it expires', async () => {
  const phone = await newExhaustedPhone();
  const firstCode = await requestAndReadCode(phone);
  await setExpiry(phone, 11);
  expect((await requestCode(phone)).body).toContain('<SentAt>');
  await setExpiry(phone, 9);
  const secondCode = await requestAndReadCode(phone);
  expect(secondCode.code).not.toBe(firstCode.code);
  expect((await signIn(phone, firstCode)).status).toBe(200);
  expect((await signIn(phone, secondCode)).status).toBe(200);
});

test('a shared code follows the five codes an hour of one network, also when a stranger in it has requested them', async () => {
  const phone = newPhone();
  for (let index = 0; index < 5; index += 1)
    expect((await requestAndReadCode(phone, { remoteAddress: '10.8.3.1' })).code).toHaveLength(6);
  const ownerCode = await requestAndReadCode(phone, { remoteAddress: '10.8.3.1' });
  expect(ownerCode.code).toHaveLength(10);
  expect((await signIn(phone, ownerCode)).status).toBe(200);
});

test('a shared code does not lift the limits of a network', async () => {
  const store = await newStore();
  const phone = newPhone();
  await exhaust(`sms-phone:${phone}`, store);
  const statuses = [];
  for (let index = 0; index < 31; index += 1)
    statuses.push((await requestCode(phone, { shelfid: store, remoteAddress: '10.8.4.1' })).statusCode);
  expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
  expect(await readTextMessages(shop, phone)).toHaveLength(1);
  // The limit per day stays as well, also for a number over its own limits.
  await exhaust('sms-day:10.8.4.2', store);
  for (let index = 0; index < 7; index += 1)
    expect((await requestCode(phone, { shelfid: store, remoteAddress: '10.8.4.2' })).statusCode).toBe(429);
});

test('a shared code for a number with an account is still sent when its country’s limit is reached, up to a second limit', async () => {
  const store = await newStore();
  const [owner, stranger, secondOwner] = [newPhone(), newPhone(), newPhone()];
  for (const phone of [owner, secondOwner]) await signIn(phone, await requestAndReadCode(phone, { shelfid: store }), store);
  await exhaust('sms-country:GB', store);
  const expectedRefusal = { statusCode: 429, body: expect.stringContaining('phone_country_full') };
  expect(await requestCode(stranger, { shelfid: store })).toMatchObject(expectedRefusal);
  await exhaust(`sms-phone:${stranger}`, store);
  expect(await requestCode(stranger, { shelfid: store })).toMatchObject(expectedRefusal);
  expect((await signIn(owner, await requestAndReadCode(owner, { shelfid: store }), store)).status).toBe(200);
  await exhaust('sms-shared-country:GB', store);
  expect(await requestCode(secondOwner, { shelfid: store })).toMatchObject(expectedRefusal);
});

const readCallCount = async (subject: string, store: string) => {
  const counter = shop.db.selectFrom('rate_limit_counters').select('calls').where('store_id', '=', store);
  return (await counter.where('subject', '=', subject).executeTakeFirst())?.calls ?? 0;
};

test('a shared code is neither valid nor counted when its message was refused; the next browser triggers another code', async () => {
  const store = await newStore();
  const phone = newPhone();
  await exhaust(`sms-phone:${phone}`, store);
  const send = vi.spyOn(shop.services.sms, 'send').mockRejectedValueOnce(new MessageRefused('The gateway responded 500.'));
  expect((await requestCode(phone, { shelfid: store })).statusCode).toBe(502);
  send.mockRestore();
  expect(await readCallCount(`sms-shared-phone:${phone}`, store)).toBe(0);
  expect((await signIn(phone, await requestAndReadCode(phone, { shelfid: store }), store)).status).toBe(200);
});

test('a shared code works when its message may have been sent, and is replaced within five minutes', async () => {
  const phone = await newExhaustedPhone();
  const texts: string[] = [];
  const send = vi.spyOn(shop.services.sms, 'send').mockImplementationOnce(async ({ text }) => {
    texts.push(text);
    throw new Error('The gateway did not answer in time.');
  });
  expect((await requestCode(phone)).statusCode).toBe(502);
  send.mockRestore();
  const { body } = await requestCode(phone);
  expect(body).toContain('<SentAt>');
  const { expires_at } = await shop.db
    .selectFrom('shared_phone_codes')
    .select('expires_at')
    .where('phone', '=', phone)
    .executeTakeFirstOrThrow();
  // A new code is sent from ten minutes before the old one expires.
  expect(expires_at.getTime() - Date.now()).toBeLessThanOrEqual(15 * MINUTE_MS);
  expect((await signIn(phone, { code: parseCode(texts[0]), requestId: parseRequestId(body) })).status).toBe(200);
});

test('a shared code works for an hour after its message was sent, also for a browser that requested it in the meantime', async () => {
  const phone = await newExhaustedPhone();
  const { send } = shop.services.sms;
  const sendSpy = vi.spyOn(shop.services.sms, 'send').mockImplementationOnce(async (...message) => {
    await requestCode(phone);
    await send.apply(shop.services.sms, message);
  });
  await requestAndReadCode(phone);
  sendSpy.mockRestore();
  const requests = await shop.db.selectFrom('phone_codes').select('expires_at').where('phone', '=', phone).execute();
  expect(requests).toHaveLength(2);
  for (const { expires_at } of requests) expect(expires_at.getTime() - Date.now()).toBeGreaterThan(59 * MINUTE_MS);
});

test('a number that has used up its shared codes of the day gets no further one, and another number still does', async () => {
  const store = await newStore();
  const [phone, otherPhone] = [newPhone(), newPhone()];
  for (const exhaustedPhone of [phone, otherPhone]) await exhaust(`sms-phone:${exhaustedPhone}`, store);
  await signIn(phone, await requestAndReadCode(phone, { shelfid: store }), store);
  await exhaust(`sms-shared-phone:${phone}`, store);
  expect((await requestCode(phone, { shelfid: store })).statusCode).toBe(429);
  expect((await requestAndReadCode(otherPhone, { shelfid: store })).code).toHaveLength(10);
});

// Otherwise the refusal for a country over its limit reveals that a number has no account.
test('a network that has used up its guesses cannot learn from a country’s limit whether a number has an account', async () => {
  const store = await newStore();
  const [owner, stranger] = [newPhone(), newPhone()];
  await signIn(owner, await requestAndReadCode(owner, { shelfid: store }), store);
  await exhaust('sms-country:GB', store);
  await exhaust('provider:10.8.6.1', store);
  for (const phone of [owner, stranger])
    expect((await requestCode(phone, { shelfid: store, remoteAddress: '10.8.6.1' })).body).not.toContain('phone_country_full');
  expect((await requestCode(owner, { shelfid: store, remoteAddress: '10.8.6.2' })).statusCode).toBe(200);
});

// Otherwise one network could fill the queue.
test('a shared code is checked in its network’s turn', async () => {
  const phone = await newExhaustedPhone();
  const sentCode = await requestAndReadCode(phone);
  const matches = vi.spyOn(shop.services.passwords, 'matches');
  await signIn(phone, sentCode);
  expect(matches.mock.calls[0]?.[2]).toEqual({ key: '127.0.0.1', goesFirst: false });
  matches.mockRestore();
});

test('a shared code is deleted by the clean-up when it has expired', async () => {
  const phone = await newExhaustedPhone();
  await requestAndReadCode(phone);
  await setExpiry(phone, -1);
  await cleanUp(shop.db);
  expect(await shop.db.selectFrom('shared_phone_codes').selectAll().where('phone', '=', phone).execute()).toEqual([]);
});
