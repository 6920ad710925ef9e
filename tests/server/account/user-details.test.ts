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

const renderValues = (values: Record<string, string>): string =>
  `<CustomFields>${Object.entries(values)
    .map(([id, value]) => `<CustomField><Id>${id}</Id><Value>${value}</Value></CustomField>`)
    .join('')}</CustomFields>`;

const signUpWith = (values: Record<string, string>) => {
  const email = `${randomUUID()}@example.org`;
  return shop.call('signUp', '/user/signup', {
    query: { shelfid: storeWithFields, appid: 'web' },
    headers: basicAuth(email, PASSWORD),
    body: signUpXml(email, renderValues(values)),
  });
};

const saveDetails = ({ query }: Pick<Customer, 'query'>, details: string) =>
  shop.call('saveUserDetails', '/user/details', { query, body: `<UserDetails>${details}</UserDetails>` });
const readFieldValues = async ({ query }: Pick<Customer, 'query'>) =>
  (await shop.call('customFieldValues', '/user/fields/values', { query })).value as {
    Name: string;
    CustomField?: { Id: string; Value: string }[];
  };
const isSignedIn = async ({ query }: Pick<Customer, 'query'>) =>
  (await shop.call('validateToken', '/user/validate', { query })).status === 200;
const signIn = async (email: string, password: string) =>
  (await shop.call('signIn', '/user/signin', { query: { shelfid: store, appid: 'web' }, headers: basicAuth(email, password) }))
    .status;

describe('custom fields', () => {
  test('custom fields are listed in the customer’s language, in the configured order [S7.user/signup/fields]', async () => {
    const { value } = await shop.call('signUpFields', '/user/signup/fields', {
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

  test('custom fields are stored with a new account, in their validated form [S7.user/fields/values]', async () => {
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
  ])('a sign-up is refused with the field’s name when %s, and no account is made', async (_, values, name) => {
    const usersBefore = await shop.db.selectFrom('users').select('id').where('store_id', '=', storeWithFields).execute();
    const { status, value } = await signUpWith(values as Record<string, string>);
    expect([status, (value as { Code: string }).Code]).toEqual([400, 'bad_field']);
    expect((value as { Message: string }).Message).toContain(name);
    expect(await shop.db.selectFrom('users').select('id').where('store_id', '=', storeWithFields).execute()).toHaveLength(
      usersBefore.length,
    );
  });

  test('custom fields can be changed, and emptied unless required; a field that is not sent keeps its value [S7.user/details]', async () => {
    const { value } = await signUpWith({ town: 'Quay', shelf: 'sea' });
    const customer = { query: { shelfid: storeWithFields, accesstoken: (value as { IdToken: string }).IdToken } };
    expect((await saveDetails(customer, `<Name>Ben</Name>${renderValues({ shelf: '', rooms: '3' })}`)).status).toBe(200);
    expect(await readFieldValues(customer)).toMatchObject({
      Name: 'Ben',
      CustomField: expect.arrayContaining([
        { Id: 'town', Value: 'Quay' },
        { Id: 'rooms', Value: '3' },
      ]) as unknown,
    });
    expect((await readFieldValues(customer)).CustomField).toHaveLength(2);
    expect((await saveDetails(customer, renderValues({ town: '' }))).status).toBe(400);
    expect((await saveDetails(customer, '')).status).toBe(200);
    expect((await readFieldValues(customer)).Name).toBe('Ben');
  });
});

describe('changes of the e-mail address', () => {
  const changeEmail = (customer: Customer, email: string, password = PASSWORD) =>
    saveDetails(customer, `<Email>${email}</Email><CurrentPassword>${password}</CurrentPassword>`);

  test('a new e-mail address needs the password and then signs in, and the old address is notified', async () => {
    const customer = await createCustomer(shop, store);
    const email = `${randomUUID()}@example.com`;
    const resetToken = await issueResetToken(shop.db, { storeId: store, userId: customer.id, email: customer.email });
    const refusal = await changeEmail(customer, email, 'a guess');
    expect([refusal.status, (refusal.value as { Code: string }).Code]).toEqual([400, 'wrong_password']);
    expect((await saveDetails(customer, `<Email>${email}</Email>`)).status).toBe(400);
    expect((await changeEmail(customer, email)).status).toBe(200);
    expect([await signIn(customer.email, PASSWORD), await signIn(email, PASSWORD)]).toEqual([401, 200]);
    expect(await isSignedIn(customer)).toBe(true);
    const notifications = await readEmailsTo(shop, customer.email);
    expect(notifications.map(({ subject }) => subject)).toEqual([`Your email address at Books <of> ${store} has been changed`]);
    expect(notifications[0]?.text).not.toContain(email);
    // A reset link sent to the old address no longer sets a password.
    const { value } = await shop.call('validateResetToken', `/user/token/${resetToken}`, { query: { shelfid: store } });
    expect((value as { Valid: boolean }).Valid).toBe(false);
  });

  test('a new e-mail address must be valid and of no other customer', async () => {
    const [customer, otherCustomer] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    const response = await changeEmail(customer, otherCustomer.email.toUpperCase());
    expect([response.status, (response.value as { Code: string }).Code]).toEqual([409, 'email_taken']);
    expect((await changeEmail(customer, 'no address')).status).toBe(400);
    expect(await signIn(customer.email, PASSWORD)).toBe(200);
  });

  test('a new e-mail address may differ from the old one only in upper and lower case', async () => {
    const customer = await createCustomer(shop, store);
    expect((await changeEmail(customer, customer.email.toUpperCase())).status).toBe(200);
    expect(await signIn(customer.email, PASSWORD)).toBe(200);
  });

  test('a new e-mail address goes to only one of two customers who request it at the same time', async () => {
    const customers = [await createCustomer(shop, store), await createCustomer(shop, store)];
    const email = `${randomUUID()}@example.com`;
    const responses = await Promise.all(customers.map((customer) => changeEmail(customer, email)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

describe('changes of the password', () => {
  const NEW_PASSWORD = 'battery staple';
  const changePassword = (customer: Pick<Customer, 'query'>, password = PASSWORD, newPassword = NEW_PASSWORD) =>
    saveDetails(customer, `<CurrentPassword>${password}</CurrentPassword><NewPassword>${newPassword}</NewPassword>`);

  test('a new password needs the current one, ends every other session, and is confirmed by e-mail', async () => {
    const customer = await createCustomer(shop, store);
    const response = await shop.call('signIn', '/user/signin', {
      query: { shelfid: store, appid: 'web', deviceid: 'telephone', devicename: 'Telephone' },
      headers: basicAuth(customer.email, PASSWORD),
    });
    const otherDevice = { query: { shelfid: store, accesstoken: (response.value as { IdToken: string }).IdToken } };
    expect((await changePassword(customer, 'a guess')).status).toBe(400);
    expect([await isSignedIn(customer), await isSignedIn(otherDevice)]).toEqual([true, true]);
    expect((await changePassword(customer)).status).toBe(200);
    expect([await isSignedIn(customer), await isSignedIn(otherDevice)]).toEqual([true, false]);
    expect([await signIn(customer.email, PASSWORD), await signIn(customer.email, NEW_PASSWORD)]).toEqual([401, 200]);
    const notifications = await readEmailsTo(shop, customer.email);
    expect(notifications.map(({ subject }) => subject)).toEqual([`Your password for Books <of> ${store} has been changed`]);
  });

  test.each(['short', 'x'.repeat(201)])('a new password must have an allowed length: %s', async (newPassword) => {
    const customer = await createCustomer(shop, store);
    expect((await changePassword(customer, PASSWORD, newPassword)).status).toBe(400);
    expect(await signIn(customer.email, PASSWORD)).toBe(200);
  });

  test('guesses of the current password by a signed-in customer are rate limited', async () => {
    const customer = await createCustomer(shop, store);
    const statuses: number[] = [];
    for (let guess = 0; guess < 8; guess += 1) statuses.push((await changePassword(customer, `guess ${guess}`)).status);
    expect(statuses).toContain(429);
    expect(statuses.filter((status) => status === 400).length).toBeLessThan(8);
  });

  test('an account without a password cannot set one by a password change', async () => {
    const customer = await createCustomer(shop, store);
    await shop.db.updateTable('users').set({ password_hash: null }).where('id', '=', customer.id).execute();
    const refusal = await changePassword(customer);
    expect([refusal.status, (refusal.value as { Code: string }).Code]).toEqual([409, 'no_password']);
  });
});

describe('accounts without a password', () => {
  const readSignInMethods = async ({ query }: Pick<Customer, 'query'>) =>
    (await shop.call('userWays', '/user/ways', { query })).value;
  const createPasswordlessCustomer = async (): Promise<Customer> => {
    const customer = await createCustomer(shop, store);
    expect(await readSignInMethods(customer)).toEqual({ hasPassword: true });
    await shop.db.updateTable('users').set({ password_hash: null }).where('id', '=', customer.id).execute();
    expect(await readSignInMethods(customer)).toEqual({ hasPassword: false });
    return customer;
  };

  test('an account without a password changes its e-mail address after a recent sign-in, and the old address is notified', async () => {
    const customer = await createPasswordlessCustomer();
    const email = `${randomUUID()}@example.org`;
    expect((await saveDetails(customer, `<Email>${email}</Email>`)).status).toBe(200);
    const row = await shop.db.selectFrom('users').select('email').where('id', '=', customer.id).executeTakeFirstOrThrow();
    expect(row.email).toBe(email);
    expect(await readEmailsTo(shop, customer.email)).toHaveLength(1);
  });

  test('an account without a password cannot change its e-mail address after an old sign-in', async () => {
    const customer = await createPasswordlessCustomer();
    await shop.db
      .updateTable('tokens')
      .set({ created_at: new Date(Date.now() - 11 * 60_000) })
      .where('user_id', '=', customer.id)
      .execute();
    const { status, value } = await saveDetails(
      customer,
      '<Email>eve@example.org</Email><CurrentPassword>a guess</CurrentPassword>',
    );
    expect([status, (value as { Code: string }).Code]).toEqual([409, 'sign_in_again']);
    expect(await readEmailsTo(shop, customer.email)).toEqual([]);
    expect((await saveDetails(customer, '<Name>Ann</Name>')).status).toBe(200);
  });
});

test('account details are accessible only with a token of their customer and store', async () => {
  const customer = await createCustomer(shop, store);
  const customerInOtherStore = { query: { shelfid: storeWithFields, accesstoken: customer.query.accesstoken } };
  const unknownCustomer = { query: { shelfid: store, accesstoken: 'x'.repeat(43) } };
  for (const query of [customerInOtherStore.query, unknownCustomer.query]) {
    expect((await saveDetails({ query }, '<Name>Eve</Name>')).status).toBe(401);
    expect((await shop.call('customFieldValues', '/user/fields/values', { query })).status).toBe(401);
  }
});
