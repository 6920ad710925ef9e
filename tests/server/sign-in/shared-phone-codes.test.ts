import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import { MessageRefused } from '../../../server/sms/transport.ts';
import { codeIn } from '../../support/text-messages.ts';
import {
  type Asking,
  askForCode,
  codeSentBy,
  messagesOf,
  newPhone,
  requestIdIn,
  type SentCode,
  signInByCode,
} from '../support/phone-codes.ts';
import { openShop, type Shop } from '../support/shop.ts';

const MINUTE = 60_000;

let shop: Shop;
let shelfid: string;
beforeAll(async () => {
  shop = await openShop();
  shelfid = await newStore();
});
afterAll(() => shop.close());

const newStore = () => shop.store({ providers: [{ kind: 'phone', country: 'GB' }], properties: { SmsCountries: ['GB'] } });
const askFor = (phone: string, asking: Partial<Asking> = {}) => askForCode(shop, phone, { shelfid, ...asking });
const codeFor = (phone: string, asking: Partial<Asking> = {}) => codeSentBy(shop, phone, () => askFor(phone, asking));
const signIn = (phone: string, sent: SentCode, store = shelfid) => signInByCode(shop, phone, sent, { shelfid: store });
const exhaust = (subject: string, store = shelfid) =>
  shop.db
    .insertInto('rate_limit_counters')
    .values({ store_id: store, subject, calls: 1_000_000, window_ends_at: new Date(Date.now() + 60 * MINUTE) })
    .onConflict((conflict) => conflict.columns(['store_id', 'subject']).doUpdateSet({ calls: 1_000_000 }))
    .execute();
/** A number that strangers in many networks have asked for. */
const attackedPhone = async (): Promise<string> => {
  const phone = newPhone();
  await exhaust(`sms-phone:${phone}`);
  return phone;
};
const setExpiry = (phone: string, minutes: number) =>
  shop.db
    .updateTable('shared_phone_codes')
    .set({ expires_at: new Date(Date.now() + minutes * MINUTE) })
    .where('phone', '=', phone)
    .execute();
const over = { status: 409, value: { Code: 'code_over' } };

test('lets the owner in on an unknown device, however often strangers have asked', async () => {
  const phone = newPhone();
  const { value } = await signIn(phone, await codeFor(phone));
  await exhaust(`sms-phone:${phone}`);
  const again = await signIn(phone, await codeFor(phone));
  expect(again).toMatchObject({ status: 200, value: { UserId: (value as { UserId: string }).UserId } });
});

test('comes in one message for all browsers that ask within the hour, and is used once', async () => {
  const phone = await attackedPhone();
  const { code, requestId: ofStranger } = await codeFor(phone, { remoteAddress: '10.8.0.1' });
  expect(code).toMatch(/^\d{10}$/);
  const answer = await askFor(phone, { remoteAddress: '10.8.0.2' });
  const sentAt = Date.parse(/<SentAt>([^<]+)</.exec(answer.body)?.[1] ?? '');
  expect(Math.abs(Date.now() - sentAt)).toBeLessThan(MINUTE);
  expect(await messagesOf(shop, phone)).toHaveLength(1);
  expect((await signIn(phone, { code, requestId: requestIdIn(answer.body) })).status).toBe(200);
  expect(await signIn(phone, { code, requestId: ofStranger })).toMatchObject(over);
  const next = await codeFor(phone, { remoteAddress: '10.8.0.2' });
  expect(next.code).not.toBe(code);
});

test('is used by one of two browsers that enter it at the same time', async () => {
  const phone = await attackedPhone();
  const { code, requestId } = await codeFor(phone);
  const other = requestIdIn((await askFor(phone)).body);
  const answers = await Promise.all([requestId, other, requestId, other].map((each) => signIn(phone, { code, requestId: each })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
});

test('is sent once to browsers that ask at the same time', async () => {
  const phone = await attackedPhone();
  const answers = await Promise.all(Array.from({ length: 5 }, (_, at) => askFor(phone, { remoteAddress: `10.8.1.${at}` })));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  const [message, ...more] = await messagesOf(shop, phone);
  expect(more).toEqual([]);
  const last = requestIdIn(answers.at(-1)?.body ?? '');
  expect((await signIn(phone, { code: codeIn(message), requestId: last })).status).toBe(200);
});

test('keeps the owner’s tries from those who guess', async () => {
  const phone = await attackedPhone();
  const { requestId: ofStranger } = await codeFor(phone, { remoteAddress: '10.8.2.1' });
  const wrong = { code: '0000000000', requestId: ofStranger };
  for (let tries = 0; tries < 5; tries += 1)
    expect(await signIn(phone, wrong)).toMatchObject({ status: 409, value: { Code: 'code_wrong' } });
  expect(await signIn(phone, wrong)).toMatchObject(over);
  const { body } = await askFor(phone, { remoteAddress: '10.8.2.2' });
  const code = codeIn((await messagesOf(shop, phone)).at(-1));
  expect((await signIn(phone, { code, requestId: requestIdIn(body) })).status).toBe(200);
});

test('is replaced in the last ten minutes of its hour, and works until it is over', async () => {
  const phone = await attackedPhone();
  const first = await codeFor(phone);
  await setExpiry(phone, 11);
  expect((await askFor(phone)).body).toContain('<SentAt>');
  await setExpiry(phone, 9);
  const second = await codeFor(phone);
  expect(second.code).not.toBe(first.code);
  expect((await signIn(phone, first)).status).toBe(200);
  expect((await signIn(phone, second)).status).toBe(200);
});

test('follows the five codes an hour of one network, also where a stranger in it has asked for them', async () => {
  const phone = newPhone();
  for (let at = 0; at < 5; at += 1) expect((await codeFor(phone, { remoteAddress: '10.8.3.1' })).code).toHaveLength(6);
  const own = await codeFor(phone, { remoteAddress: '10.8.3.1' });
  expect(own.code).toHaveLength(10);
  expect((await signIn(phone, own)).status).toBe(200);
});

test('does not lift the limits of a network', async () => {
  const store = await newStore();
  const phone = newPhone();
  await exhaust(`sms-phone:${phone}`, store);
  const statuses = [];
  for (let at = 0; at < 31; at += 1)
    statuses.push((await askFor(phone, { shelfid: store, remoteAddress: '10.8.4.1' })).statusCode);
  expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
  expect(await messagesOf(shop, phone)).toHaveLength(1);
  // Nor those of a day, also for a number over its own limits.
  await exhaust('sms-day:10.8.4.2', store);
  for (let at = 0; at < 7; at += 1)
    expect((await askFor(phone, { shelfid: store, remoteAddress: '10.8.4.2' })).statusCode).toBe(429);
});

test('of a number that opens an account is sent when its country has had its messages, up to as many again', async () => {
  const store = await newStore();
  const [owner, stranger, late] = [newPhone(), newPhone(), newPhone()];
  for (const phone of [owner, late]) await signIn(phone, await codeFor(phone, { shelfid: store }), store);
  await exhaust('sms-country:GB', store);
  const refused = { statusCode: 429, body: expect.stringContaining('phone_country_full') };
  expect(await askFor(stranger, { shelfid: store })).toMatchObject(refused);
  await exhaust(`sms-phone:${stranger}`, store);
  expect(await askFor(stranger, { shelfid: store })).toMatchObject(refused);
  expect((await signIn(owner, await codeFor(owner, { shelfid: store }), store)).status).toBe(200);
  await exhaust('sms-shared-country:GB', store);
  expect(await askFor(late, { shelfid: store })).toMatchObject(refused);
});

const callsOf = async (subject: string, store: string) => {
  const counter = shop.db.selectFrom('rate_limit_counters').select('calls').where('store_id', '=', store);
  return (await counter.where('subject', '=', subject).executeTakeFirst())?.calls ?? 0;
};

test('whose message was refused is no code and is not counted: the next browser has another one sent', async () => {
  const store = await newStore();
  const phone = newPhone();
  await exhaust(`sms-phone:${phone}`, store);
  const send = vi.spyOn(shop.services.sms, 'send').mockRejectedValueOnce(new MessageRefused('The gateway says 500.'));
  expect((await askFor(phone, { shelfid: store })).statusCode).toBe(502);
  send.mockRestore();
  expect(await callsOf(`sms-shared-phone:${phone}`, store)).toBe(0);
  expect((await signIn(phone, await codeFor(phone, { shelfid: store }), store)).status).toBe(200);
});

test('whose message may have been sent works, and is replaced within five minutes', async () => {
  const phone = await attackedPhone();
  const texts: string[] = [];
  const send = vi.spyOn(shop.services.sms, 'send').mockImplementationOnce(async ({ text }) => {
    texts.push(text);
    throw new Error('The gateway did not answer in time.');
  });
  expect((await askFor(phone)).statusCode).toBe(502);
  send.mockRestore();
  const { body } = await askFor(phone);
  expect(body).toContain('<SentAt>');
  const { expires_at } = await shop.db
    .selectFrom('shared_phone_codes')
    .select('expires_at')
    .where('phone', '=', phone)
    .executeTakeFirstOrThrow();
  // From ten minutes before its end it is replaced.
  expect(expires_at.getTime() - Date.now()).toBeLessThanOrEqual(15 * MINUTE);
  expect((await signIn(phone, { code: codeIn(texts[0]), requestId: requestIdIn(body) })).status).toBe(200);
});

test('works for an hour once its message was sent, for a browser that asked in the meantime, too', async () => {
  const phone = await attackedPhone();
  const { send } = shop.services.sms;
  const sending = vi.spyOn(shop.services.sms, 'send').mockImplementationOnce(async (...message) => {
    await askFor(phone);
    await send.apply(shop.services.sms, message);
  });
  await codeFor(phone);
  sending.mockRestore();
  const requests = await shop.db.selectFrom('phone_codes').select('expires_at').where('phone', '=', phone).execute();
  expect(requests).toHaveLength(2);
  for (const { expires_at } of requests) expect(expires_at.getTime() - Date.now()).toBeGreaterThan(59 * MINUTE);
});

test('is sent forty times a day to one number, so that its owner alone cannot use up a country’s', async () => {
  const store = await newStore();
  const [phone, other] = [newPhone(), newPhone()];
  for (const each of [phone, other]) await exhaust(`sms-phone:${each}`, store);
  await signIn(phone, await codeFor(phone, { shelfid: store }), store);
  await exhaust(`sms-shared-phone:${phone}`, store);
  expect((await askFor(phone, { shelfid: store })).statusCode).toBe(429);
  expect((await codeFor(other, { shelfid: store })).code).toHaveLength(10);
});

test('of a country that has had its messages counts as a guess, since the answer says whether the number opens an account', async () => {
  const store = await newStore();
  const [owner, stranger] = [newPhone(), newPhone()];
  await signIn(owner, await codeFor(owner, { shelfid: store }), store);
  await exhaust('sms-country:GB', store);
  await exhaust('provider:10.8.6.1', store);
  for (const phone of [owner, stranger])
    expect((await askFor(phone, { shelfid: store, remoteAddress: '10.8.6.1' })).body).not.toContain('phone_country_full');
  expect((await askFor(owner, { shelfid: store, remoteAddress: '10.8.6.2' })).statusCode).toBe(200);
});

test('is checked in the turn of its network, which cannot fill the queue', async () => {
  const phone = await attackedPhone();
  const sent = await codeFor(phone);
  const matches = vi.spyOn(shop.services.passwords, 'matches');
  await signIn(phone, sent);
  expect(matches.mock.calls[0]?.[2]).toEqual({ key: '127.0.0.1', goesFirst: false });
  matches.mockRestore();
});

test('is cleaned away when it is over', async () => {
  const phone = await attackedPhone();
  await codeFor(phone);
  await setExpiry(phone, -1);
  await cleanUp(shop.db);
  expect(await shop.db.selectFrom('shared_phone_codes').selectAll().where('phone', '=', phone).execute()).toEqual([]);
});
