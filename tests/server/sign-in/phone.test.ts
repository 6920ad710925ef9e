import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DomainError } from '../../../server/kernel/errors.ts';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import type { NewStore } from '../../../server/setup/save-store.ts';
import { createCustomer } from '../support/customers.ts';
import { parseCode } from '../../support/text-messages.ts';
import { findDeviceCookie, markUserTrusted } from '../support/known-devices.ts';
import { runAfterQuery } from '../support/interrupt.ts';
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
/** Properties of a store that sends codes to British numbers and sells in other countries. */
const properties = { ShelfName: SHOP, PurchaseCountries: ['DE', 'FR'], SmsCountries: ['GB'] };
const providers = [{ kind: 'phone', country: 'GB' }] as const;

let shop: Shop;
let store: string;
const newStore = (overrides: Partial<NewStore> = {}) => shop.store({ providers: [...providers], properties, ...overrides });
beforeAll(async () => {
  shop = await openShop();
  store = await newStore();
});
afterAll(() => shop.close());

/** Requests a code, in the tests' store by default. */
const requestCode = (phone: string, request: Partial<PhoneRequest> = {}) =>
  requestPhoneCode(shop, phone, { shelfid: store, ...request });
const readMessages = (phone: string) => readTextMessages(shop, phone);
const readCodeSentBy = (phone: string, sendRequest: () => ReturnType<typeof requestCode>) =>
  captureSentCode(shop, phone, sendRequest);
const requestAndReadCode = (phone: string, request: Partial<PhoneRequest> = {}): Promise<SentCode> =>
  readCodeSentBy(phone, () => requestCode(phone, request));
const signIn = (phone: string, sentCode: Partial<SentCode>, { shelfid = store }: Partial<PhoneRequest> = {}, deviceid?: string) =>
  signInByCode(shop, phone, sentCode, { shelfid, deviceid });
const [OWN_DIGITS, SHARED_DIGITS] = [6, 10];
const refusalWith = (status: number, Code: string) => ({ status, value: { Code } });
const differentCode = (code: string): string => (code === '000000' ? '000001' : '000000');

describe('signing in by phone', () => {
  test('signing in by phone makes an account for the number, and finds it again [S2.signin/providers]', async () => {
    const phone = newPhone();
    const firstResponse = await signIn(phone, await requestAndReadCode(phone));
    expect(firstResponse).toMatchObject({ status: 200, value: { EmailId: '' } });
    const secondResponse = await signIn(phone, await requestAndReadCode(phone));
    expect((secondResponse.value as { UserId: string }).UserId).toBe((firstResponse.value as { UserId: string }).UserId);
  });

  test('signing in by phone is refused when the number is removed from the account in the meantime', async () => {
    const phone = newPhone();
    const { value } = await signIn(phone, await requestAndReadCode(phone));
    const userId = (value as { UserId: string }).UserId;
    const code = await requestAndReadCode(phone);
    const expectInterrupted = runAfterQuery(shop, 'SelectQueryNode', 'identities', () =>
      shop.db.deleteFrom('identities').where('user_id', '=', userId).execute(),
    );
    expect(await signIn(phone, code)).toMatchObject(refusalWith(409, 'sign_in_over'));
    expectInterrupted();
  });

  test('signing in by phone accepts a number in national notation, with spaces', async () => {
    const phone = newPhone();
    const nationalNumber = `0${phone.slice(3, 7)} ${phone.slice(7)}`;
    const sentCode = await readCodeSentBy(phone, () => requestCode(nationalNumber));
    expect((await signIn(phone, sentCode)).status).toBe(200);
  });

  test.each(['', '5', 'nobody', '+44 20', '12345678901234567890', '+447400000001;+447400000002'])(
    'signing in by phone refuses “%s”, which is not a phone number',
    async (phone) => {
      expect((await requestCode(phone)).statusCode).toBe(400);
    },
  );

  test.each([
    ['fr', 'est votre code pour'],
    ['zh', '验证码'],
  ])('signing in by phone sends its message in %s', async (language, expectedText) => {
    const phone = newPhone();
    await requestCode(phone, { language });
    expect((await readMessages(phone)).join()).toContain(expectedText);
    expect((await readMessages(phone)).join()).toContain(SHOP);
  });

  test('signing in by phone does not reveal whether a number has an account', async () => {
    const [knownPhone, unknownPhone] = [newPhone(), newPhone()];
    await signIn(knownPhone, await requestAndReadCode(knownPhone));
    const responses = [await requestCode(knownPhone), await requestCode(unknownPhone)];
    const [knownBody, unknownBody] = responses.map(({ body }) => body.replace(parseRequestId(body), ''));
    expect(unknownBody).toBe(knownBody);
  });

  test('signing in by phone is not found in a store that does not offer it', async () => {
    const shelfid = await shop.store();
    expect((await requestCode(newPhone(), { shelfid })).statusCode).toBe(404);
    expect((await signIn(newPhone(), { code: '123456', requestId: 'x' }, { shelfid })).status).toBe(404);
  });

  test('signing in by phone cannot be started as a provider’s redirect', async () => {
    const body = '<StartProviderSignIn><ProviderId>phone</ProviderId></StartProviderSignIn>';
    const query = { shelfid: store, appid: 'web' };
    expect((await shop.call('startProviderSignIn', '/user/provider/start', { query, body })).status).toBe(404);
  });
});

describe('a code', () => {
  test('a phone code can be used once, also when it is used twice at the same time', async () => {
    const phone = newPhone();
    const sentCode = await requestAndReadCode(phone);
    const responses = await Promise.all([signIn(phone, sentCode), signIn(phone, sentCode)]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await signIn(phone, sentCode)).toMatchObject(refusalWith(409, 'code_over'));
  });

  test('a phone code has five attempts, also when more are made at the same time', async () => {
    const phone = newPhone();
    const sentCode = await requestAndReadCode(phone);
    const wrongCode = { ...sentCode, code: differentCode(sentCode.code) };
    const responses = await Promise.all(Array.from({ length: 8 }, () => signIn(phone, wrongCode)));
    const codes = responses.map(({ value }) => (value as { Code: string }).Code);
    expect(codes.toSorted()).toEqual([...Array<string>(3).fill('code_over'), ...Array<string>(5).fill('code_wrong')]);
    expect(await signIn(phone, sentCode)).toMatchObject(refusalWith(409, 'code_over'));
  });

  test('an expired phone code is refused, and deleted by the clean-up', async () => {
    const phone = newPhone();
    const sentCode = await requestAndReadCode(phone);
    await shop.db
      .updateTable('phone_codes')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('phone', '=', phone)
      .execute();
    expect(await signIn(phone, sentCode)).toMatchObject(refusalWith(409, 'code_over'));
    await cleanUp(shop.db);
    expect(await shop.db.selectFrom('phone_codes').selectAll().where('phone', '=', phone).execute()).toEqual([]);
  });

  test('a full password queue costs neither an attempt at a phone code nor a request for one', async () => {
    const phone = newPhone();
    const sentCode = await requestAndReadCode(phone);
    const queueFull = new DomainError('too_many_requests', 'Too many people are signing in.', {
      details: { retryAfterSeconds: 10 },
    });
    const matches = vi.spyOn(shop.services.passwords, 'matches').mockRejectedValue(queueFull);
    for (let attempt = 0; attempt < 6; attempt += 1) expect((await signIn(phone, sentCode)).status).toBe(429);
    matches.mockRestore();
    const hash = vi.spyOn(shop.services.passwords, 'hash').mockRejectedValue(queueFull);
    for (let attempt = 0; attempt < 6; attempt += 1) expect((await requestCode(phone)).statusCode).toBe(429);
    hash.mockRestore();
    expect((await requestCode(phone)).statusCode).toBe(200);
    expect((await signIn(phone, sentCode)).status).toBe(200);
  });

  test('a phone code is refused for another number, in another store, or for another request', async () => {
    const [phone, otherPhone] = [newPhone(), newPhone()];
    const sentCode = await requestAndReadCode(phone);
    expect(await signIn(otherPhone, sentCode)).toMatchObject(refusalWith(409, 'code_over'));
    const shelfid = await newStore();
    expect(await signIn(phone, sentCode, { shelfid })).toMatchObject(refusalWith(409, 'code_over'));
    for (const requestId of [undefined, 'made-up', (await requestAndReadCode(otherPhone)).requestId])
      expect(await signIn(phone, { code: sentCode.code, requestId })).toMatchObject(refusalWith(409, 'code_over'));
    expect((await signIn(phone, sentCode)).status).toBe(200);
  });

  test('a phone code and its request id are stored only as hashes', async () => {
    const phone = newPhone();
    const { code, requestId } = await requestAndReadCode(phone);
    const rows = await shop.db.selectFrom('phone_codes').selectAll().where('phone', '=', phone).execute();
    expect(JSON.stringify(rows)).not.toContain(`"${code}"`);
    expect(JSON.stringify(rows)).not.toContain(requestId);
    expect(rows[0]?.code_hash).toMatch(/^scrypt\$/);
  });
});

describe('a stranger who requests codes for a number', () => {
  test('a stranger who requests codes neither replaces the owner’s code nor uses up its attempts', async () => {
    const phone = newPhone();
    const ownerCode = await requestAndReadCode(phone);
    const { requestId } = await requestAndReadCode(phone, { remoteAddress: '10.9.2.1' });
    for (let attempt = 0; attempt < 6; attempt += 1) await signIn(phone, { code: differentCode(ownerCode.code), requestId });
    expect((await signIn(phone, ownerCode)).status).toBe(200);
  });

  test('a stranger gets five codes an hour from one network, and the owner’s network keeps its own five', async () => {
    const phone = newPhone();
    const shelfid = await newStore();
    const request = { shelfid, remoteAddress: '10.9.0.1' };
    await Promise.all(Array.from({ length: 7 }, () => requestCode(phone, request)));
    const codes = (await readMessages(phone)).map(parseCode);
    expect(codes.filter((code) => code.length === OWN_DIGITS)).toHaveLength(5);
    expect((await requestAndReadCode(phone, { shelfid, remoteAddress: '10.9.0.2' })).code).toHaveLength(OWN_DIGITS);
  });

  test('strangers get at most forty codes a day from many networks, and the owner’s device keeps its own codes', async () => {
    const phone = newPhone();
    const shelfid = await newStore();
    const { headers } = await signIn(phone, await requestAndReadCode(phone, { shelfid }), { shelfid }, 'the-owners-laptop');
    const cookie = findDeviceCookie(headers);
    for (let network = 0; network < 9; network += 1)
      for (let index = 0; index < 5; index += 1) await requestCode(phone, { shelfid, remoteAddress: `10.9.3.${network}` });
    // The forty include the owner's first code; all browsers share the code after them.
    const codeLengths = (await readMessages(phone)).map((message) => parseCode(message).length);
    expect(codeLengths.toSorted((a, b) => a - b)).toEqual([...Array<number>(40).fill(OWN_DIGITS), SHARED_DIGITS]);
    const otherNetwork = { shelfid, remoteAddress: '10.9.4.1' };
    for (const unknownCookie of [undefined, `device=${'x'.repeat(43)}`])
      expect((await requestCode(phone, { ...otherNetwork, cookie: unknownCookie })).body).toContain('<SentAt>');
    const ownerCode = await requestAndReadCode(phone, { ...otherNetwork, cookie });
    expect(ownerCode.code).toHaveLength(OWN_DIGITS);
    expect((await signIn(phone, ownerCode, { shelfid })).status).toBe(200);
  });

  test('code requests from an IPv6 network are counted by its /64 and by its /48', async () => {
    const shelfid = await newStore();
    const requestFrom = async (remoteAddress: string) => (await requestCode(newPhone(), { shelfid, remoteAddress })).statusCode;
    const statuses = [];
    for (let index = 0; index < 31; index += 1) statuses.push(await requestFrom(`2001:db8:1:1::${index}`));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    const counterKey = { store_id: shelfid, subject: 'sms:2001:db8:1::/48' };
    const readNetworkCounter = () =>
      shop.db
        .selectFrom('rate_limit_counters')
        .select('calls')
        .where((eb) => eb.and(counterKey))
        .execute();
    expect(await readNetworkCounter()).toEqual([{ calls: 30 }]);
    await shop.db
      .updateTable('rate_limit_counters')
      .set({ calls: 239 })
      .where((eb) => eb.and(counterKey))
      .execute();
    expect(await requestFrom('2001:db8:1:2::1')).toBe(200);
    expect(await requestFrom('2001:db8:1:3::1')).toBe(429);
    expect(await requestFrom('2001:db8:2:1::1')).toBe(200);
  });

  test('a stranger gets sixty codes a day from one network, so that the country’s limit is left to others', async () => {
    const shelfid = await newStore();
    const requestFrom = async (remoteAddress: string) => (await requestCode(newPhone(), { shelfid, remoteAddress })).statusCode;
    for (let hour = 0; hour < 2; hour += 1) {
      for (let index = 0; index < 30; index += 1) expect(await requestFrom('10.9.6.1')).toBe(200);
      await shop.db
        .deleteFrom('rate_limit_counters')
        .where('store_id', '=', shelfid)
        .where('subject', '=', 'sms:10.9.6.1')
        .execute();
    }
    expect(await requestFrom('10.9.6.1')).toBe(429);
    expect(await requestFrom('10.9.6.2')).toBe(200);
    const counterQuery = shop.db.selectFrom('rate_limit_counters').select('calls').where('store_id', '=', shelfid);
    expect(await counterQuery.where('subject', '=', 'sms-country:GB').execute()).toEqual([{ calls: 61 }]);
  });

  test('a stranger uses up the codes of the network, but not those of a customer who joins a number there', async () => {
    const shelfid = await newStore();
    const remoteAddress = '10.9.1.1';
    const statuses = [];
    for (let index = 0; index < 31; index += 1)
      statuses.push((await requestCode(newPhone(), { shelfid, remoteAddress })).statusCode);
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
