import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp } from '../../server/database/clean-up.ts';
import { httpSms } from '../../server/sms/transport.ts';
import { codeIn, messagesIn } from '../support/text-messages.ts';
import { interrupt } from './support/interrupt.ts';
import { openShop, type Shop } from './support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({ providers: [{ kind: 'phone', country: 'GB' }] });
});
afterAll(() => shop.close());

let numbers = 0;
/** A British mobile number that nobody has asked about. */
const newPhone = (): string => `+447400${String((numbers += 1)).padStart(6, '0')}`;

const askFor = async (phone: string, { shelfid = store, language = 'en', remoteAddress = '127.0.0.1' } = {}) =>
  shop.app.inject({
    method: 'POST',
    url: `/api/user/phone/code?shelfid=${shelfid}&appid=web`,
    remoteAddress,
    headers: { 'content-type': 'text/xml', 'accept-language': language },
    payload: `<SendPhoneCode><Phone>${phone}</Phone></SendPhoneCode>`,
  });
const messagesTo = (phone: string) => messagesIn(join(shop.folder, 'outbox'), phone);
const codeFor = async (phone: string) => {
  const { statusCode } = await askFor(phone);
  expect(statusCode).toBe(200);
  return codeIn((await messagesTo(phone)).at(-1));
};
const signIn = (phone: string, code: string, shelfid = store) =>
  shop.ask('signInByPhone', '/user/phone/signin', {
    query: { shelfid, appid: 'web' },
    body: `<PhoneSignIn><Phone>${phone}</Phone><Code>${code}</Code></PhoneSignIn>`,
  });
const refusal = (status: number, Code: string) => ({ status, value: { Code } });
const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');

describe('signing in by telephone', () => {
  test('makes an account of the number, and finds it again [S2.signin/providers]', async () => {
    const phone = newPhone();
    const first = await signIn(phone, await codeFor(phone));
    expect(first).toMatchObject({ status: 200, value: { EmailId: '' } });
    const again = await signIn(phone, await codeFor(phone));
    expect((again.value as { UserId: string }).UserId).toBe((first.value as { UserId: string }).UserId);
  });

  test('is refused when the number is removed from the account meanwhile', async () => {
    const phone = newPhone();
    const { value } = await signIn(phone, await codeFor(phone));
    const userId = (value as { UserId: string }).UserId;
    const code = await codeFor(phone);
    const came = interrupt(shop, 'SelectQueryNode', 'identities', () =>
      shop.db.deleteFrom('identities').where('user_id', '=', userId).execute(),
    );
    expect(await signIn(phone, code)).toMatchObject(refusal(409, 'sign_in_over'));
    came();
  });

  test('takes a number as people write it', async () => {
    const phone = newPhone();
    const typed = `0${phone.slice(3, 7)} ${phone.slice(7)}`;
    expect((await askFor(typed)).statusCode).toBe(200);
    expect((await signIn(phone, codeIn((await messagesTo(phone)).at(-1)))).status).toBe(200);
  });

  test.each(['', '5', 'nobody', '+44 20', '12345678901234567890', '+447400000001;+447400000002'])(
    '“%s” is no number',
    async (phone) => {
      expect((await askFor(phone)).statusCode).toBe(400);
    },
  );

  test.each([
    ['fr', 'est votre code pour'],
    ['zh', '验证码'],
  ])('is written about in %s', async (language, words) => {
    const phone = newPhone();
    await askFor(phone, { language });
    expect((await messagesTo(phone)).join()).toContain(words);
    expect((await messagesTo(phone)).join()).toContain(`Books <of> ${store}`);
  });

  test('says nothing of whether a number has an account', async () => {
    const [known, unknown] = [newPhone(), newPhone()];
    await signIn(known, await codeFor(known));
    const answers = [await askFor(known), await askFor(unknown)];
    expect(answers[1]?.body).toBe(answers[0]?.body);
  });

  test('is not there in a store that does not offer it', async () => {
    const shelfid = await shop.store();
    expect((await askFor(newPhone(), { shelfid })).statusCode).toBe(404);
    expect((await signIn(newPhone(), '123456', shelfid)).status).toBe(404);
  });

  test('begins at no other server', async () => {
    const body = '<StartProviderSignIn><ProviderId>phone</ProviderId></StartProviderSignIn>';
    const query = { shelfid: store, appid: 'web' };
    expect((await shop.ask('startProviderSignIn', '/user/provider/start', { query, body })).status).toBe(404);
  });
});

describe('a code', () => {
  test('is used once, also when it is used twice at the same time', async () => {
    const phone = newPhone();
    const code = await codeFor(phone);
    const answers = await Promise.all([signIn(phone, code), signIn(phone, code)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await signIn(phone, code)).toMatchObject(refusal(409, 'code_over'));
  });

  test('is tried five times', async () => {
    const phone = newPhone();
    const code = await codeFor(phone);
    for (let tries = 0; tries < 5; tries += 1)
      expect(await signIn(phone, otherThan(code))).toMatchObject(refusal(409, 'code_wrong'));
    expect(await signIn(phone, code)).toMatchObject(refusal(409, 'code_over'));
  });

  test('is over after ten minutes, and then cleaned away', async () => {
    const phone = newPhone();
    const code = await codeFor(phone);
    await shop.db
      .updateTable('phone_codes')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('phone', '=', phone)
      .execute();
    expect(await signIn(phone, code)).toMatchObject(refusal(409, 'code_over'));
    await cleanUp(shop.db);
    expect(await shop.db.selectFrom('phone_codes').selectAll().where('phone', '=', phone).execute()).toEqual([]);
  });

  test('is another number’s nothing, and another store’s neither', async () => {
    const [phone, other] = [newPhone(), newPhone()];
    const code = await codeFor(phone);
    expect(await signIn(other, code)).toMatchObject(refusal(409, 'code_over'));
    const shelfid = await shop.store({ providers: [{ kind: 'phone' }] });
    expect(await signIn(phone, code, shelfid)).toMatchObject(refusal(409, 'code_over'));
    expect((await signIn(phone, code)).status).toBe(200);
  });

  test('takes the place of the one before', async () => {
    const phone = newPhone();
    const [first, second] = [await codeFor(phone), await codeFor(phone)];
    if (first !== second) expect(await signIn(phone, first)).toMatchObject(refusal(409, 'code_wrong'));
    expect((await signIn(phone, second)).status).toBe(200);
  });

  test('is kept as its hash alone', async () => {
    const phone = newPhone();
    const code = await codeFor(phone);
    const rows = await shop.db.selectFrom('phone_codes').selectAll().where('phone', '=', phone).execute();
    expect(JSON.stringify(rows)).not.toContain(`"${code}"`);
    expect(rows[0]?.code_hash).toMatch(/^scrypt\$/);
  });

  test('is sent five times an hour to one number, and thirty times for one network', async () => {
    const phone = newPhone();
    const shelfid = await shop.store({ providers: [{ kind: 'phone' }] });
    const answers = [];
    for (let at = 0; at < 6; at += 1) answers.push(await askFor(phone, { shelfid, remoteAddress: `10.9.0.${at}` }));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers.at(-1)?.headers['retry-after']).toBe('3600');
    const statuses = [];
    for (let at = 0; at < 31; at += 1)
      statuses.push((await askFor(newPhone(), { shelfid, remoteAddress: '10.9.1.1' })).statusCode);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('a gateway of text messages', () => {
  const opened = async (status: number) => {
    const asked: { request: IncomingMessage; body: string }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        asked.push({ request, body });
        response.writeHead(status).end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://the%20shop:secret@127.0.0.1:${(server.address() as AddressInfo).port}/messages`;
    return { asked, sms: httpSms(address), close: () => server.close() };
  };

  test('gets each message with its credentials', async () => {
    const { asked, sms, close } = await opened(202);
    await sms.send({ to: '+447400000001', text: 'It’s 123456.' }, 'a-store');
    close();
    expect(asked.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ to: '+447400000001', text: 'It’s 123456.' }]);
    const { authorization = '' } = asked[0]?.request.headers ?? {};
    expect(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()).toBe('the shop:secret');
  });

  test('that takes no message over is told of', async () => {
    const { sms, close } = await opened(500);
    await expect(sms.send({ to: '+447400000001', text: 'x' }, 'a-store')).rejects.toThrow('500');
    close();
  });
});

test('who comes by telephone is asked what the store asks, until they have answered', async () => {
  const shelfid = await shop.store({
    providers: [{ kind: 'phone', country: 'GB' }],
    customFields: [{ id: 'town', kind: 'text', label: 'Your town', isRequired: true }],
  });
  const phone = newPhone();
  await askFor(phone, { shelfid });
  const { value } = await signIn(phone, codeIn((await messagesTo(phone)).at(-1)), shelfid);
  expect(value).toMatchObject({ QuestionsOpen: true });
});
