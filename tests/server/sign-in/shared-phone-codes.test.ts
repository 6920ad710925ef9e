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
const requestCode = (phone: string, asking: Partial<PhoneRequest> = {}) => requestPhoneCode(shop, phone, { shelfid, ...asking });
const requestAndReadCode = (phone: string, asking: Partial<PhoneRequest> = {}) =>
  captureSentCode(shop, phone, () => requestCode(phone, asking));
const signIn = (phone: string, sent: SentCode, store = shelfid) => signInByCode(shop, phone, sent, { shelfid: store });
const exhaust = (subject: string, store = shelfid) =>
  shop.db
    .insertInto('rate_limit_counters')
    .values({ store_id: store, subject, calls: 1_000_000, window_ends_at: new Date(Date.now() + 60 * MINUTE_MS) })
    .onConflict((conflict) => conflict.columns(['store_id', 'subject']).doUpdateSet({ calls: 1_000_000 }))
    .execute();
/** A number for which strangers in many networks have requested codes. */
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

test('lets the owner sign in on an unknown device, however many codes strangers have requested', async () => {
  const phone = newPhone();
  const { value } = await signIn(phone, await requestAndReadCode(phone));
  await exhaust(`sms-phone:${phone}`);
  const again = await signIn(phone, await requestAndReadCode(phone));
  expect(again).toMatchObject({ status: 200, value: { UserId: (value as { UserId: string }).UserId } });
});

test('is sent in one message for all browsers that request it within the hour, and is used once', async () => {
  const phone = await newExhaustedPhone();
  const { code, requestId: ofStranger } = await requestAndReadCode(phone, { remoteAddress: '10.8.0.1' });
  expect(code).toMatch(/^\d{10}$/);
  const answer = await requestCode(phone, { remoteAddress: '10.8.0.2' });
  const sentAt = Date.parse(/<SentAt>([^<]+)</.exec(answer.body)?.[1] ?? '');
  expect(Math.abs(Date.now() - sentAt)).toBeLessThan(MINUTE_MS);
  expect(await readTextMessages(shop, phone)).toHaveLength(1);
  expect((await signIn(phone, { code, requestId: parseRequestId(answer.body) })).status).toBe(200);
  expect(await signIn(phone, { code, requestId: ofStranger })).toMatchObject(codeExhausted);
  const next = await requestAndReadCode(phone, { remoteAddress: '10.8.0.2' });
  expect(next.code).not.toBe(code);
});

test('is used by one of two browsers that enter it at the same time', async () => {
  const phone = await newExhaustedPhone();
  const { code, requestId } = await requestAndReadCode(phone);
  const other = parseRequestId((await requestCode(phone)).body);
  const answers = await Promise.all([requestId, other, requestId, other].map((each) => signIn(phone, { code, requestId: each })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
});

test('is sent once to browsers that request it at the same time', async () => {
  const phone = await newExhaustedPhone();
  const answers = await Promise.all(Array.from({ length: 5 }, (_, at) => requestCode(phone, { remoteAddress: `10.8.1.${at}` })));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  const [message, ...more] = await readTextMessages(shop, phone);
  expect(more).toEqual([]);
  const last = parseRequestId(answers.at(-1)?.body ?? '');
  expect((await signIn(phone, { code: parseCode(message), requestId: last })).status).toBe(200);
});

test('has separate attempts for the owner and for those who guess', async () => {
  const phone = await newExhaustedPhone();
  const { requestId: ofStranger } = await requestAndReadCode(phone, { remoteAddress: '10.8.2.1' });
  const wrong = { code: '0000000000', requestId: ofStranger };
  for (let tries = 0; tries < 5; tries += 1)
    expect(await signIn(phone, wrong)).toMatchObject({ status: 409, value: { Code: 'code_wrong' } });
  expect(await signIn(phone, wrong)).toMatchObject(codeExhausted);
  const { body } = await requestCode(phone, { remoteAddress: '10.8.2.2' });
  const code = parseCode((await readTextMessages(shop, phone)).at(-1));
  expect((await signIn(phone, { code, requestId: parseRequestId(body) })).status).toBe(200);
});

test('is replaced in the last ten minutes of its hour, and works until it expires', async () => {
  const phone = await newExhaustedPhone();
  const first = await requestAndReadCode(phone);
  await setExpiry(phone, 11);
  expect((await requestCode(phone)).body).toContain('<SentAt>');
  await setExpiry(phone, 9);
  const second = await requestAndReadCode(phone);
  expect(second.code).not.toBe(first.code);
  expect((await signIn(phone, first)).status).toBe(200);
  expect((await signIn(phone, second)).status).toBe(200);
});

test('follows the five codes an hour of one network, also when a stranger in it has requested them', async () => {
  const phone = newPhone();
  for (let at = 0; at < 5; at += 1) expect((await requestAndReadCode(phone, { remoteAddress: '10.8.3.1' })).code).toHaveLength(6);
  const own = await requestAndReadCode(phone, { remoteAddress: '10.8.3.1' });
  expect(own.code).toHaveLength(10);
  expect((await signIn(phone, own)).status).toBe(200);
});

test('does not lift the limits of a network', async () => {
  const store = await newStore();
  const phone = newPhone();
  await exhaust(`sms-phone:${phone}`, store);
  const statuses = [];
  for (let at = 0; at < 31; at += 1)
    statuses.push((await requestCode(phone, { shelfid: store, remoteAddress: '10.8.4.1' })).statusCode);
  expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
  expect(await readTextMessages(shop, phone)).toHaveLength(1);
  // Nor those per day, also for a number over its own limits.
  await exhaust('sms-day:10.8.4.2', store);
  for (let at = 0; at < 7; at += 1)
    expect((await requestCode(phone, { shelfid: store, remoteAddress: '10.8.4.2' })).statusCode).toBe(429);
});

test('for a number with an account is still sent when its country’s limit is reached, up to the same number again', async () => {
  const store = await newStore();
  const [owner, stranger, late] = [newPhone(), newPhone(), newPhone()];
  for (const phone of [owner, late]) await signIn(phone, await requestAndReadCode(phone, { shelfid: store }), store);
  await exhaust('sms-country:GB', store);
  const refused = { statusCode: 429, body: expect.stringContaining('phone_country_full') };
  expect(await requestCode(stranger, { shelfid: store })).toMatchObject(refused);
  await exhaust(`sms-phone:${stranger}`, store);
  expect(await requestCode(stranger, { shelfid: store })).toMatchObject(refused);
  expect((await signIn(owner, await requestAndReadCode(owner, { shelfid: store }), store)).status).toBe(200);
  await exhaust('sms-shared-country:GB', store);
  expect(await requestCode(late, { shelfid: store })).toMatchObject(refused);
});

const readCallCount = async (subject: string, store: string) => {
  const counter = shop.db.selectFrom('rate_limit_counters').select('calls').where('store_id', '=', store);
  return (await counter.where('subject', '=', subject).executeTakeFirst())?.calls ?? 0;
};

test('is neither valid nor counted when its message was refused: the next browser triggers another one', async () => {
  const store = await newStore();
  const phone = newPhone();
  await exhaust(`sms-phone:${phone}`, store);
  const send = vi.spyOn(shop.services.sms, 'send').mockRejectedValueOnce(new MessageRefused('The gateway says 500.'));
  expect((await requestCode(phone, { shelfid: store })).statusCode).toBe(502);
  send.mockRestore();
  expect(await readCallCount(`sms-shared-phone:${phone}`, store)).toBe(0);
  expect((await signIn(phone, await requestAndReadCode(phone, { shelfid: store }), store)).status).toBe(200);
});

test('works when its message may have been sent, and is replaced within five minutes', async () => {
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
  // From ten minutes before it expires, a new one is sent.
  expect(expires_at.getTime() - Date.now()).toBeLessThanOrEqual(15 * MINUTE_MS);
  expect((await signIn(phone, { code: parseCode(texts[0]), requestId: parseRequestId(body) })).status).toBe(200);
});

test('works for an hour after its message was sent, also for a browser that requested it in the meantime', async () => {
  const phone = await newExhaustedPhone();
  const { send } = shop.services.sms;
  const sending = vi.spyOn(shop.services.sms, 'send').mockImplementationOnce(async (...message) => {
    await requestCode(phone);
    await send.apply(shop.services.sms, message);
  });
  await requestAndReadCode(phone);
  sending.mockRestore();
  const requests = await shop.db.selectFrom('phone_codes').select('expires_at').where('phone', '=', phone).execute();
  expect(requests).toHaveLength(2);
  for (const { expires_at } of requests) expect(expires_at.getTime() - Date.now()).toBeGreaterThan(59 * MINUTE_MS);
});

test('is limited to forty a day per number, so that one owner cannot use up a country’s limit', async () => {
  const store = await newStore();
  const [phone, other] = [newPhone(), newPhone()];
  for (const each of [phone, other]) await exhaust(`sms-phone:${each}`, store);
  await signIn(phone, await requestAndReadCode(phone, { shelfid: store }), store);
  await exhaust(`sms-shared-phone:${phone}`, store);
  expect((await requestCode(phone, { shelfid: store })).statusCode).toBe(429);
  expect((await requestAndReadCode(other, { shelfid: store })).code).toHaveLength(10);
});

test('in a country over its limit counts as a guess, since the response reveals whether the number has an account', async () => {
  const store = await newStore();
  const [owner, stranger] = [newPhone(), newPhone()];
  await signIn(owner, await requestAndReadCode(owner, { shelfid: store }), store);
  await exhaust('sms-country:GB', store);
  await exhaust('provider:10.8.6.1', store);
  for (const phone of [owner, stranger])
    expect((await requestCode(phone, { shelfid: store, remoteAddress: '10.8.6.1' })).body).not.toContain('phone_country_full');
  expect((await requestCode(owner, { shelfid: store, remoteAddress: '10.8.6.2' })).statusCode).toBe(200);
});

test('is checked in its network’s turn, so that one network cannot fill the queue', async () => {
  const phone = await newExhaustedPhone();
  const sent = await requestAndReadCode(phone);
  const matches = vi.spyOn(shop.services.passwords, 'matches');
  await signIn(phone, sent);
  expect(matches.mock.calls[0]?.[2]).toEqual({ key: '127.0.0.1', goesFirst: false });
  matches.mockRestore();
});

test('is deleted by the clean-up when it has expired', async () => {
  const phone = await newExhaustedPhone();
  await requestAndReadCode(phone);
  await setExpiry(phone, -1);
  await cleanUp(shop.db);
  expect(await shop.db.selectFrom('shared_phone_codes').selectAll().where('phone', '=', phone).execute()).toEqual([]);
});
