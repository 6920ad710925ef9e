import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DomainError } from '../../../server/kernel/errors.ts';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import type { NewStore } from '../../../server/setup/save-store.ts';
import { createCustomer } from '../support/customers.ts';
import { parseCode } from '../../support/text-messages.ts';
import { findDeviceCookie, markUserTrusted } from '../support/known-devices.ts';
import { runBeforeQuery } from '../support/interrupt.ts';
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

const SHOP = 'Books <of> phones';
/** Sends codes to British numbers, although it sells in other countries. */
const properties = { ShelfName: SHOP, PurchaseCountries: ['DE', 'FR'], SmsCountries: ['GB'] };
const providers = [{ kind: 'phone', country: 'GB' }] as const;

let shop: Shop;
let store: string;
const newStore = (more: Partial<NewStore> = {}) => shop.store({ providers: [...providers], properties, ...more });
beforeAll(async () => {
  shop = await openShop();
  store = await newStore();
});
afterAll(() => shop.close());

/** Requests a code, in the tests' own store by default. */
const requestCode = (phone: string, asking: Partial<PhoneRequest> = {}) =>
  requestPhoneCode(shop, phone, { shelfid: store, ...asking });
const readMessages = (phone: string) => readTextMessages(shop, phone);
const readCodeSentBy = (phone: string, ask: () => ReturnType<typeof requestCode>) => captureSentCode(shop, phone, ask);
const requestAndReadCode = (phone: string, asking: Partial<PhoneRequest> = {}): Promise<SentCode> =>
  readCodeSentBy(phone, () => requestCode(phone, asking));
const signIn = (phone: string, sent: Partial<SentCode>, { shelfid = store }: Partial<PhoneRequest> = {}, deviceid?: string) =>
  signInByCode(shop, phone, sent, { shelfid, deviceid });
const [OWN_DIGITS, SHARED_DIGITS] = [6, 10];
const refusalWith = (status: number, Code: string) => ({ status, value: { Code } });
const differentCode = (code: string): string => (code === '000000' ? '000001' : '000000');

describe('signing in by phone', () => {
  test('makes an account for the number, and finds it again [S2.signin/providers]', async () => {
    const phone = newPhone();
    const first = await signIn(phone, await requestAndReadCode(phone));
    expect(first).toMatchObject({ status: 200, value: { EmailId: '' } });
    const again = await signIn(phone, await requestAndReadCode(phone));
    expect((again.value as { UserId: string }).UserId).toBe((first.value as { UserId: string }).UserId);
  });

  test('is refused when the number is removed from the account in the meantime', async () => {
    const phone = newPhone();
    const { value } = await signIn(phone, await requestAndReadCode(phone));
    const userId = (value as { UserId: string }).UserId;
    const code = await requestAndReadCode(phone);
    const came = runBeforeQuery(shop, 'SelectQueryNode', 'identities', () =>
      shop.db.deleteFrom('identities').where('user_id', '=', userId).execute(),
    );
    expect(await signIn(phone, code)).toMatchObject(refusalWith(409, 'sign_in_over'));
    came();
  });

  test('accepts a number in national notation, with spaces', async () => {
    const phone = newPhone();
    const typed = `0${phone.slice(3, 7)} ${phone.slice(7)}`;
    const sent = await readCodeSentBy(phone, () => requestCode(typed));
    expect((await signIn(phone, sent)).status).toBe(200);
  });

  test.each(['', '5', 'nobody', '+44 20', '12345678901234567890', '+447400000001;+447400000002'])(
    'refuses “%s”, which is not a phone number',
    async (phone) => {
      expect((await requestCode(phone)).statusCode).toBe(400);
    },
  );

  test.each([
    ['fr', 'est votre code pour'],
    ['zh', '验证码'],
  ])('sends its message in %s', async (language, words) => {
    const phone = newPhone();
    await requestCode(phone, { language });
    expect((await readMessages(phone)).join()).toContain(words);
    expect((await readMessages(phone)).join()).toContain(SHOP);
  });

  test('does not reveal whether a number has an account', async () => {
    const [known, unknown] = [newPhone(), newPhone()];
    await signIn(known, await requestAndReadCode(known));
    const answers = [await requestCode(known), await requestCode(unknown)];
    const [ofKnown, ofUnknown] = answers.map(({ body }) => body.replace(parseRequestId(body), ''));
    expect(ofUnknown).toBe(ofKnown);
  });

  test('is not found in a store that does not offer it', async () => {
    const shelfid = await shop.store();
    expect((await requestCode(newPhone(), { shelfid })).statusCode).toBe(404);
    expect((await signIn(newPhone(), { code: '123456', requestId: 'x' }, { shelfid })).status).toBe(404);
  });

  test('cannot be started as a provider’s redirect', async () => {
    const body = '<StartProviderSignIn><ProviderId>phone</ProviderId></StartProviderSignIn>';
    const query = { shelfid: store, appid: 'web' };
    expect((await shop.ask('startProviderSignIn', '/user/provider/start', { query, body })).status).toBe(404);
  });
});

describe('a code', () => {
  test('is used once, also when it is used twice at the same time', async () => {
    const phone = newPhone();
    const sent = await requestAndReadCode(phone);
    const answers = await Promise.all([signIn(phone, sent), signIn(phone, sent)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await signIn(phone, sent)).toMatchObject(refusalWith(409, 'code_over'));
  });

  test('has five attempts, also when more are made at the same time', async () => {
    const phone = newPhone();
    const sent = await requestAndReadCode(phone);
    const wrong = { ...sent, code: differentCode(sent.code) };
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(phone, wrong)));
    const codes = answers.map(({ value }) => (value as { Code: string }).Code);
    expect(codes.toSorted()).toEqual([...Array<string>(3).fill('code_over'), ...Array<string>(5).fill('code_wrong')]);
    expect(await signIn(phone, sent)).toMatchObject(refusalWith(409, 'code_over'));
  });

  test('expires after ten minutes, and is then deleted by the clean-up', async () => {
    const phone = newPhone();
    const sent = await requestAndReadCode(phone);
    await shop.db
      .updateTable('phone_codes')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('phone', '=', phone)
      .execute();
    expect(await signIn(phone, sent)).toMatchObject(refusalWith(409, 'code_over'));
    await cleanUp(shop.db);
    expect(await shop.db.selectFrom('phone_codes').selectAll().where('phone', '=', phone).execute()).toEqual([]);
  });

  test('loses no attempt when the password queue is full, and neither does the request for it', async () => {
    const phone = newPhone();
    const sent = await requestAndReadCode(phone);
    const full = new DomainError('too_many_requests', 'Too many people are signing in.', { details: { retryAfterSeconds: 10 } });
    const matches = vi.spyOn(shop.services.passwords, 'matches').mockRejectedValue(full);
    for (let attempt = 0; attempt < 6; attempt += 1) expect((await signIn(phone, sent)).status).toBe(429);
    matches.mockRestore();
    const hash = vi.spyOn(shop.services.passwords, 'hash').mockRejectedValue(full);
    for (let attempt = 0; attempt < 6; attempt += 1) expect((await requestCode(phone)).statusCode).toBe(429);
    hash.mockRestore();
    expect((await requestCode(phone)).statusCode).toBe(200);
    expect((await signIn(phone, sent)).status).toBe(200);
  });

  test('is refused for another number, in another store, or for another request', async () => {
    const [phone, other] = [newPhone(), newPhone()];
    const sent = await requestAndReadCode(phone);
    expect(await signIn(other, sent)).toMatchObject(refusalWith(409, 'code_over'));
    const shelfid = await newStore();
    expect(await signIn(phone, sent, { shelfid })).toMatchObject(refusalWith(409, 'code_over'));
    for (const requestId of [undefined, 'made-up', (await requestAndReadCode(other)).requestId])
      expect(await signIn(phone, { code: sent.code, requestId })).toMatchObject(refusalWith(409, 'code_over'));
    expect((await signIn(phone, sent)).status).toBe(200);
  });

  test('and its request are stored only as hashes', async () => {
    const phone = newPhone();
    const { code, requestId } = await requestAndReadCode(phone);
    const rows = await shop.db.selectFrom('phone_codes').selectAll().where('phone', '=', phone).execute();
    expect(JSON.stringify(rows)).not.toContain(`"${code}"`);
    expect(JSON.stringify(rows)).not.toContain(requestId);
    expect(rows[0]?.code_hash).toMatch(/^scrypt\$/);
  });
});

describe('a stranger who requests codes for a number', () => {
  test('neither replaces the owner’s code nor uses up its attempts', async () => {
    const phone = newPhone();
    const own = await requestAndReadCode(phone);
    const { requestId } = await requestAndReadCode(phone, { remoteAddress: '10.9.2.1' });
    for (let tries = 0; tries < 6; tries += 1) await signIn(phone, { code: differentCode(own.code), requestId });
    expect((await signIn(phone, own)).status).toBe(200);
  });

  test('gets five an hour from one network, and the owner’s network keeps its own five', async () => {
    const phone = newPhone();
    const shelfid = await newStore();
    const asking = { shelfid, remoteAddress: '10.9.0.1' };
    await Promise.all(Array.from({ length: 7 }, () => requestCode(phone, asking)));
    const codes = (await readMessages(phone)).map(parseCode);
    expect(codes.filter((code) => code.length === OWN_DIGITS)).toHaveLength(5);
    expect((await requestAndReadCode(phone, { shelfid, remoteAddress: '10.9.0.2' })).code).toHaveLength(OWN_DIGITS);
  });

  test('gets at most forty a day from many networks, and the owner’s device does not count among them', async () => {
    const phone = newPhone();
    const shelfid = await newStore();
    const { headers } = await signIn(phone, await requestAndReadCode(phone, { shelfid }), { shelfid }, 'the-owners-laptop');
    const cookie = findDeviceCookie(headers);
    for (let network = 0; network < 9; network += 1)
      for (let at = 0; at < 5; at += 1) await requestCode(phone, { shelfid, remoteAddress: `10.9.3.${network}` });
    // Including the owner's first one, plus the code that all browsers then share.
    const lengths = (await readMessages(phone)).map((message) => parseCode(message).length);
    expect(lengths.toSorted((a, b) => a - b)).toEqual([...Array<number>(40).fill(OWN_DIGITS), SHARED_DIGITS]);
    const elsewhere = { shelfid, remoteAddress: '10.9.4.1' };
    for (const unknown of [undefined, `device=${'x'.repeat(43)}`])
      expect((await requestCode(phone, { ...elsewhere, cookie: unknown })).body).toContain('<SentAt>');
    const own = await requestAndReadCode(phone, { ...elsewhere, cookie });
    expect(own.code).toHaveLength(OWN_DIGITS);
    expect((await signIn(phone, own, { shelfid })).status).toBe(200);
  });

  test('from an IPv6 network is counted by its /64 and by its /48', async () => {
    const shelfid = await newStore();
    const from = async (remoteAddress: string) => (await requestCode(newPhone(), { shelfid, remoteAddress })).statusCode;
    const statuses = [];
    for (let at = 0; at < 31; at += 1) statuses.push(await from(`2001:db8:1:1::${at}`));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    const counted = { store_id: shelfid, subject: 'sms:2001:db8:1::/48' };
    const ofNetwork = () =>
      shop.db
        .selectFrom('rate_limit_counters')
        .select('calls')
        .where((eb) => eb.and(counted))
        .execute();
    expect(await ofNetwork()).toEqual([{ calls: 30 }]);
    await shop.db
      .updateTable('rate_limit_counters')
      .set({ calls: 239 })
      .where((eb) => eb.and(counted))
      .execute();
    expect(await from('2001:db8:1:2::1')).toBe(200);
    expect(await from('2001:db8:1:3::1')).toBe(429);
    expect(await from('2001:db8:2:1::1')).toBe(200);
  });

  test('gets sixty a day from one network, so that the country’s limit is left to others', async () => {
    const shelfid = await newStore();
    const from = async (remoteAddress: string) => (await requestCode(newPhone(), { shelfid, remoteAddress })).statusCode;
    for (let hour = 0; hour < 2; hour += 1) {
      for (let at = 0; at < 30; at += 1) expect(await from('10.9.6.1')).toBe(200);
      await shop.db
        .deleteFrom('rate_limit_counters')
        .where('store_id', '=', shelfid)
        .where('subject', '=', 'sms:10.9.6.1')
        .execute();
    }
    expect(await from('10.9.6.1')).toBe(429);
    expect(await from('10.9.6.2')).toBe(200);
    const ofCountry = shop.db.selectFrom('rate_limit_counters').select('calls').where('store_id', '=', shelfid);
    expect(await ofCountry.where('subject', '=', 'sms-country:GB').execute()).toEqual([{ calls: 61 }]);
  });

  test('uses up the codes of the network, but not those of a customer who joins a number there', async () => {
    const shelfid = await newStore();
    const remoteAddress = '10.9.1.1';
    const statuses = [];
    for (let at = 0; at < 31; at += 1) statuses.push((await requestCode(newPhone(), { shelfid, remoteAddress })).statusCode);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    const customer = await createCustomer(shop, shelfid);
    const { accesstoken } = customer.query;
    expect((await requestCode(newPhone(), { shelfid, remoteAddress, accesstoken })).statusCode).toBe(429);
    await markUserTrusted(shop, customer);
    expect((await requestCode(newPhone(), { shelfid, remoteAddress, accesstoken })).statusCode).toBe(200);
  });
});

test('customers who sign up by phone must answer the store’s required questions', async () => {
  const shelfid = await newStore({
    customFields: [{ id: 'town', kind: 'text', label: 'Your town', isRequired: true }],
  });
  const phone = newPhone();
  const { value } = await signIn(phone, await requestAndReadCode(phone, { shelfid }), { shelfid });
  expect(value).toMatchObject({ QuestionsOpen: true });
});
