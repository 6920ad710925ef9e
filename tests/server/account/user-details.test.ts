import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueResetToken } from '../../../server/accounts/tokens.ts';
import type { NewCustomField } from '../../../server/setup/save-store.ts';
import { basicAuth, createCustomer, PASSWORD, signUpXml, type Customer } from '../support/customers.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { openShop, type Shop } from '../support/shop.ts';

const customFields: NewCustomField[] = [
  { id: 'town', kind: 'text', label: { en: 'Your town', fr: 'Votre ville' }, isRequired: true },
  {
    id: 'shelf',
    kind: 'choice',
    label: 'Favourite shelf',
    choices: [
      { value: 'sea', text: { en: 'The sea', fr: 'La mer' } },
      { value: 'night', text: 'The night' },
    ],
  },
  { id: 'born', kind: 'date', label: 'Birthday' },
  { id: 'rooms', kind: 'number', label: 'Rooms' },
  { id: 'club', kind: 'checkbox', label: 'Reading circle' },
];

let shop: Shop;
let store: string;
let storeWithFields: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
  storeWithFields = await shop.store({ customFields });
});
afterAll(() => shop.close());

const valuesXml = (values: Record<string, string>): string =>
  `<CustomFields>${Object.entries(values)
    .map(([id, value]) => `<CustomField><Id>${id}</Id><Value>${value}</Value></CustomField>`)
    .join('')}</CustomFields>`;

const signUpWith = (values: Record<string, string>) => {
  const email = `${randomUUID()}@example.org`;
  return shop.ask('signUp', '/user/signup', {
    query: { shelfid: storeWithFields, appid: 'web' },
    headers: basicAuth(email, PASSWORD),
    body: signUpXml(email, valuesXml(values)),
  });
};

const save = ({ query }: Pick<Customer, 'query'>, details: string) =>
  shop.ask('saveUserDetails', '/user/details', { query, body: `<UserDetails>${details}</UserDetails>` });
const readFieldValues = async ({ query }: Pick<Customer, 'query'>) =>
  (await shop.ask('customFieldValues', '/user/fields/values', { query })).value as {
    Name: string;
    CustomField?: { Id: string; Value: string }[];
  };
const isLive = async ({ query }: Pick<Customer, 'query'>) =>
  (await shop.ask('validateToken', '/user/validate', { query })).status === 200;
const signIn = async (email: string, password: string) =>
  (await shop.ask('signIn', '/user/signin', { query: { shelfid: store, appid: 'web' }, headers: basicAuth(email, password) }))
    .status;

describe('the custom fields of a store', () => {
  test('are listed in the customer’s language, in the configured order [S7.user/signup/fields]', async () => {
    const { value } = await shop.ask('signUpFields', '/user/signup/fields', {
      query: { shelfid: storeWithFields },
      headers: { 'accept-language': 'fr' },
    });
    expect((value as { CustomField: unknown[] }).CustomField).toEqual([
      { Id: 'town', Label: 'Votre ville', Type: 'text', Required: true, Choices: [] },
      {
        Id: 'shelf',
        Label: 'Favourite shelf',
        Type: 'choice',
        Required: false,
        Choices: [
          { Value: 'sea', Text: 'La mer' },
          { Value: 'night', Text: 'The night' },
        ],
      },
      { Id: 'born', Label: 'Birthday', Type: 'date', Required: false, Choices: [] },
      { Id: 'rooms', Label: 'Rooms', Type: 'number', Required: false, Choices: [] },
      { Id: 'club', Label: 'Reading circle', Type: 'checkbox', Required: false, Choices: [] },
    ]);
  });

  test('are stored with a new account, as they were validated [S7.user/fields/values]', async () => {
    const { status, value } = await signUpWith({
      town: ' Quay &lt;3 ',
      shelf: 'sea',
      born: '2000-02-29',
      rooms: '2,5',
      club: 'true',
    });
    expect(status).toBe(200);
    const { IdToken } = value as { IdToken: string };
    const { Name, CustomField } = await readFieldValues({ query: { shelfid: storeWithFields, accesstoken: IdToken } });
    expect(Name).toBe('Ann & Co');
    expect(Object.fromEntries((CustomField ?? []).map(({ Id, Value }) => [Id, Value]))).toEqual({
      town: 'Quay <3',
      shelf: 'sea',
      born: '2000-02-29',
      rooms: '2.5',
      club: 'true',
    });
  });

  test.each([
    ['a required value is missing', {}, 'Your town'],
    ['a required value is only spaces', { town: '  ' }, 'Your town'],
    ['a choice is not among the options', { town: 'Quay', shelf: 'desert' }, 'Favourite shelf'],
    ['a date is invalid', { town: 'Quay', born: '2001-02-29' }, 'Birthday'],
    ['a number is invalid', { town: 'Quay', rooms: 'two' }, 'Rooms'],
    ['a checkbox is neither on nor off', { town: 'Quay', club: 'maybe' }, 'Reading circle'],
    ['the store has no such field', { town: 'Quay', role: 'admin' }, 'role'],
    ['a field has the name of a built-in object property', { town: 'Quay', constructor: 'x' }, 'constructor'],
  ])('refuse a sign-up and name the field when %s; no account is made', async (_, values, name) => {
    const before = await shop.db.selectFrom('users').select('id').where('store_id', '=', storeWithFields).execute();
    const { status, value } = await signUpWith(values as Record<string, string>);
    expect([status, (value as { Code: string }).Code]).toEqual([400, 'bad_field']);
    expect((value as { Message: string }).Message).toContain(name);
    expect(await shop.db.selectFrom('users').select('id').where('store_id', '=', storeWithFields).execute()).toHaveLength(
      before.length,
    );
  });

  test('can be changed and emptied unless required; a field that is not sent keeps its value [S7.user/details]', async () => {
    const { value } = await signUpWith({ town: 'Quay', shelf: 'sea' });
    const customer = { query: { shelfid: storeWithFields, accesstoken: (value as { IdToken: string }).IdToken } };
    expect((await save(customer, `<Name>Ben</Name>${valuesXml({ shelf: '', rooms: '3' })}`)).status).toBe(200);
    expect(await readFieldValues(customer)).toMatchObject({
      Name: 'Ben',
      CustomField: expect.arrayContaining([
        { Id: 'town', Value: 'Quay' },
        { Id: 'rooms', Value: '3' },
      ]) as unknown,
    });
    expect((await readFieldValues(customer)).CustomField).toHaveLength(2);
    expect((await save(customer, valuesXml({ town: '' }))).status).toBe(400);
    expect((await save(customer, '')).status).toBe(200);
    expect((await readFieldValues(customer)).Name).toBe('Ben');
  });
});

describe('a changed e-mail address', () => {
  const move = (customer: Customer, email: string, password = PASSWORD) =>
    save(customer, `<Email>${email}</Email><CurrentPassword>${password}</CurrentPassword>`);

  test('needs the password, signs in from then on, and the old address is notified', async () => {
    const customer = await createCustomer(shop, store);
    const email = `${randomUUID()}@example.com`;
    const link = await issueResetToken(shop.db, { storeId: store, userId: customer.id, email: customer.email });
    const refused = await move(customer, email, 'a guess');
    expect([refused.status, (refused.value as { Code: string }).Code]).toEqual([400, 'wrong_password']);
    expect((await save(customer, `<Email>${email}</Email>`)).status).toBe(400);
    expect((await move(customer, email)).status).toBe(200);
    expect([await signIn(customer.email, PASSWORD), await signIn(email, PASSWORD)]).toEqual([401, 200]);
    expect(await isLive(customer)).toBe(true);
    const told = await readEmailsTo(shop, customer.email);
    expect(told.map(({ subject }) => subject)).toEqual([`Your email address at Books <of> ${store} has been changed`]);
    expect(told[0]?.text).not.toContain(email);
    // A reset link sent to the old address no longer sets a password.
    const { value } = await shop.ask('validateResetToken', `/user/token/${link}`, { query: { shelfid: store } });
    expect((value as { Valid: boolean }).Valid).toBe(false);
  });

  test('must be a valid address of no other customer', async () => {
    const [customer, other] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    const taken = await move(customer, other.email.toUpperCase());
    expect([taken.status, (taken.value as { Code: string }).Code]).toEqual([409, 'email_taken']);
    expect((await move(customer, 'no address')).status).toBe(400);
    expect(await signIn(customer.email, PASSWORD)).toBe(200);
  });

  test('may differ only in upper and lower case', async () => {
    const customer = await createCustomer(shop, store);
    expect((await move(customer, customer.email.toUpperCase())).status).toBe(200);
    expect(await signIn(customer.email, PASSWORD)).toBe(200);
  });

  test('goes to only one of two customers who request it at the same time', async () => {
    const both = [await createCustomer(shop, store), await createCustomer(shop, store)];
    const email = `${randomUUID()}@example.com`;
    const answers = await Promise.all(both.map((customer) => move(customer, email)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

describe('a changed password', () => {
  const NEW = 'battery staple';
  const change = (customer: Pick<Customer, 'query'>, password = PASSWORD, next = NEW) =>
    save(customer, `<CurrentPassword>${password}</CurrentPassword><NewPassword>${next}</NewPassword>`);

  test('needs the current one, ends every other session, and is confirmed by e-mail', async () => {
    const customer = await createCustomer(shop, store);
    const answer = await shop.ask('signIn', '/user/signin', {
      query: { shelfid: store, appid: 'web', deviceid: 'telephone', devicename: 'Telephone' },
      headers: basicAuth(customer.email, PASSWORD),
    });
    const there = { query: { shelfid: store, accesstoken: (answer.value as { IdToken: string }).IdToken } };
    expect((await change(customer, 'a guess')).status).toBe(400);
    expect([await isLive(customer), await isLive(there)]).toEqual([true, true]);
    expect((await change(customer)).status).toBe(200);
    expect([await isLive(customer), await isLive(there)]).toEqual([true, false]);
    expect([await signIn(customer.email, PASSWORD), await signIn(customer.email, NEW)]).toEqual([401, 200]);
    const told = await readEmailsTo(shop, customer.email);
    expect(told.map(({ subject }) => subject)).toEqual([`Your password for Books <of> ${store} has been changed`]);
  });

  test.each(['short', 'x'.repeat(201)])('must have an allowed length: %s', async (next) => {
    const customer = await createCustomer(shop, store);
    expect((await change(customer, PASSWORD, next)).status).toBe(400);
    expect(await signIn(customer.email, PASSWORD)).toBe(200);
  });

  test('cannot be guessed in a browser that is signed in: attempts are rate limited', async () => {
    const customer = await createCustomer(shop, store);
    const answers: number[] = [];
    for (let guess = 0; guess < 8; guess += 1) answers.push((await change(customer, `guess ${guess}`)).status);
    expect(answers).toContain(429);
    expect(answers.filter((status) => status === 400).length).toBeLessThan(8);
  });

  test('is set by an e-mailed link where an account has none', async () => {
    const customer = await createCustomer(shop, store);
    await shop.db.updateTable('users').set({ password_hash: null }).where('id', '=', customer.id).execute();
    const refused = await change(customer);
    expect([refused.status, (refused.value as { Code: string }).Code]).toEqual([409, 'no_password']);
  });
});

describe('an account without a password', () => {
  const ways = async ({ query }: Pick<Customer, 'query'>) => (await shop.ask('userWays', '/user/ways', { query })).value;
  const passwordless = async (): Promise<Customer> => {
    const customer = await createCustomer(shop, store);
    expect(await ways(customer)).toEqual({ hasPassword: true });
    await shop.db.updateTable('users').set({ password_hash: null }).where('id', '=', customer.id).execute();
    expect(await ways(customer)).toEqual({ hasPassword: false });
    return customer;
  };

  test('changes its address after a recent sign-in, and the old address is notified', async () => {
    const customer = await passwordless();
    const email = `${randomUUID()}@example.org`;
    expect((await save(customer, `<Email>${email}</Email>`)).status).toBe(200);
    const row = await shop.db.selectFrom('users').select('email').where('id', '=', customer.id).executeTakeFirstOrThrow();
    expect(row.email).toBe(email);
    expect(await readEmailsTo(shop, customer.email)).toHaveLength(1);
  });

  test('cannot change its address after an old sign-in', async () => {
    const customer = await passwordless();
    await shop.db
      .updateTable('tokens')
      .set({ created_at: new Date(Date.now() - 11 * 60_000) })
      .where('user_id', '=', customer.id)
      .execute();
    const { status, value } = await save(customer, '<Email>eve@example.org</Email><CurrentPassword>a guess</CurrentPassword>');
    expect([status, (value as { Code: string }).Code]).toEqual([409, 'sign_in_again']);
    expect(await readEmailsTo(shop, customer.email)).toEqual([]);
    expect((await save(customer, '<Name>Ann</Name>')).status).toBe(200);
  });
});

test('details are accessible only to their customer, in their store', async () => {
  const customer = await createCustomer(shop, store);
  const elsewhere = { query: { shelfid: storeWithFields, accesstoken: customer.query.accesstoken } };
  const nobody = { query: { shelfid: store, accesstoken: 'x'.repeat(43) } };
  for (const query of [elsewhere.query, nobody.query]) {
    expect((await save({ query }, '<Name>Eve</Name>')).status).toBe(401);
    expect((await shop.ask('customFieldValues', '/user/fields/values', { query })).status).toBe(401);
  }
});
