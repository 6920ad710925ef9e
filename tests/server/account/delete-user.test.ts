import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import { enqueueEmail } from '../../../server/mail/queue.ts';
import { sendQueuedEmails } from '../../../server/jobs/send-queued-emails.ts';
import { createOutboxTransport } from '../../../server/mail/transport.ts';
import { Outbox } from '../../../server/mail/outbox.ts';
import { createOutboxSmsTransport } from '../../../server/sms/transport.ts';
import { basicAuth, createCustomer, PASSWORD, signUpXml, type Customer } from '../support/customers.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const deleteUser = (token: string, shelfid = store) =>
  shop.call('deleteUser', '/user/delete', { query: { shelfid }, headers: { authorization: `Bearer ${token}` } });
const getToken = ({ query }: Customer) => query.accesstoken;
const selectUser = ({ id }: Customer) => shop.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
const signIn = async ({ email }: Customer) =>
  (await shop.call('signIn', '/user/signin', { query: { shelfid: store, appid: 'web' }, headers: basicAuth(email, PASSWORD) }))
    .status;

test('deleting an account removes all personal data and frees its address [S7.user/delete] [S6.delete-header]', async () => {
  const customer = await createCustomer(shop, store);
  await shop.call('changeWishList', '/user/wishlist', {
    query: customer.query,
    body: { changes: [{ titleId: 'book', isSaved: true }] },
  });
  expect(await deleteUser(getToken(customer))).toMatchObject({ status: 200, value: { Status: 'Ok' } });
  const row = await selectUser(customer);
  expect(row).toMatchObject({ email: '', email_key: '', name: '', fields: {}, password_hash: null });
  expect(row?.deleted_at).not.toBeNull();
  for (const table of ['tokens', 'devices', 'wishes', 'progress', 'cards'] as const)
    expect(await shop.db.selectFrom(table).selectAll().where('user_id', '=', customer.id).execute(), table).toEqual([]);
  expect(await signIn(customer)).toBe(401);
  const signUpResponse = await shop.call('signUp', '/user/signup', {
    query: { shelfid: store, appid: 'web' },
    headers: basicAuth(customer.email, PASSWORD),
    body: signUpXml(customer.email),
  });
  expect(signUpResponse.status).toBe(200);
});

test('the only e-mail that a deleted customer gets confirms the deletion', async () => {
  const customer = await createCustomer(shop, store);
  await deleteUser(getToken(customer));
  const emails = await readEmailsTo(shop, customer.email);
  expect(emails.map(({ subject }) => subject)).toEqual([`Your account at Books <of> ${store} has been deleted`]);
});

test('deleting an account keeps its purchases', async () => {
  const customer = await createCustomer(shop, store);
  const { status } = await shop.call('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: 'gratis' } });
  expect(status).toBe(200);
  expect((await deleteUser(getToken(customer))).status).toBe(200);
  expect(await shop.db.selectFrom('purchases').selectAll().where('user_id', '=', customer.id).execute()).toHaveLength(1);
});

test('a session older than ten minutes cannot delete the account', async () => {
  const customer = await createCustomer(shop, store);
  await shop.db
    .updateTable('tokens')
    .set({ created_at: new Date(Date.now() - 11 * 60_000) })
    .where('user_id', '=', customer.id)
    .execute();
  expect(await deleteUser(getToken(customer))).toMatchObject({ status: 409, value: { Code: 'sign_in_again' } });
  expect((await selectUser(customer))?.deleted_at).toBeNull();
});

test.each([
  ['a made-up token', () => 'A'.repeat(43)],
  ['no token', () => ''],
])('a deletion with %s is refused', async (_case, makeToken) => {
  expect((await deleteUser(makeToken())).status).toBeGreaterThanOrEqual(400);
});

test('a token cannot delete an account in another store', async () => {
  const customer = await createCustomer(shop, store);
  expect((await deleteUser(getToken(customer), await shop.store())).status).toBe(401);
});

test('deleting an account cancels an unpaid purchase, and is refused while one is being charged', async () => {
  const customer = await createCustomer(shop, store);
  const sessionResponse = await shop.call('paymentSession', '/payment/session', {
    query: { ...customer.query, titleId: 'book' },
  });
  expect(sessionResponse.status).toBe(200);
  const selectStatuses = () => shop.db.selectFrom('transactions').select('status').where('user_id', '=', customer.id).execute();
  await shop.db.updateTable('transactions').set({ status: 'capturing' }).where('user_id', '=', customer.id).execute();
  expect(await deleteUser(getToken(customer))).toMatchObject({ status: 409, value: { Code: 'payment_open' } });
  expect((await selectUser(customer))?.deleted_at).toBeNull();
  await shop.db.updateTable('transactions').set({ status: 'pending' }).where('user_id', '=', customer.id).execute();
  expect((await deleteUser(getToken(customer))).status).toBe(200);
  expect(await selectStatuses()).toEqual([{ status: 'cancelled' }]);
});

describe('messages to a customer who deletes the account', () => {
  const origin = 'https://shop.example';
  const queue = (
    email: string,
    kind: 'password-changed' | 'email-changed' | 'passkey-added' = 'password-changed',
    storeId = store,
  ) => enqueueEmail(shop.db, { storeId, kind, email, language: 'en', origin });
  const readQueue = async () =>
    (await shop.db.selectFrom('letters').select(['kind', 'email']).where('store_id', '=', store).execute())
      .map(({ kind, email }) => `${kind} ${email}`)
      .toSorted();
  /** The recipients of the files in an outbox, one for each file. */
  const readRecipients = async (folder: string) => {
    const names = await readdir(folder);
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return texts.map((text) => /^To: (.*)$/m.exec(text)?.[1] ?? text.split('\n')[0] ?? '').toSorted();
  };
  const getOutboxFolder = () => join(shop.folder, 'outbox');
  const linkPhone = async ({ id }: Customer, phone: string) => {
    const identity = { store_id: store, issuer: 'phone', subject: phone, user_id: id };
    await shop.db.insertInto('identities').values(identity).execute();
    return phone;
  };
  /** The same e-mail address with its local part in upper case. */
  const upperCaseLocalPart = (email: string) => email.replace(/^[^@]+/, (name) => name.toUpperCase());
  const makePhone = () => `+4474${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
  const emptyQueueAndOutbox = async () => {
    await shop.db.deleteFrom('letters').execute();
    await rm(getOutboxFolder(), { recursive: true, force: true });
  };

  test('a deleted customer’s e-mails are removed from the queue, except the confirmation and warnings of a changed address', async () => {
    await emptyQueueAndOutbox();
    const [customer, otherCustomer] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    await queue(customer.email);
    await queue(upperCaseLocalPart(customer.email), 'passkey-added');
    await queue('earlier@example.org', 'email-changed');
    // Kept: otherwise a thief who has changed the address could remove the warning to the earlier
    // address, by opening an account with that address and deleting the account.
    await queue(customer.email, 'email-changed');
    await queue(otherCustomer.email);
    const { value } = await shop.call('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book' } });
    const { transId } = value as { transId: string };
    const receipt = { store_id: store, kind: 'receipt', email: '', language: 'en', origin, transaction_id: transId } as const;
    await shop.db
      .insertInto('letters')
      .values({ ...receipt, id: randomUUID() })
      .execute();
    expect(await readQueue()).toHaveLength(6);
    expect((await deleteUser(getToken(customer))).status).toBe(200);
    expect(await readQueue()).toEqual(
      [
        `account-deleted ${customer.email}`,
        `email-changed ${customer.email}`,
        'email-changed earlier@example.org',
        `password-changed ${otherCustomer.email}`,
      ].toSorted(),
    );
  });

  test('a deleted customer’s messages are removed from the outbox of the store, except the confirmation and a warning', async () => {
    await emptyQueueAndOutbox();
    const otherStore = await shop.store();
    const [customer, otherCustomer] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    const [phone, otherPhone] = [await linkPhone(customer, makePhone()), makePhone()];
    await queue(customer.email);
    await queue(upperCaseLocalPart(customer.email));
    await queue(customer.email, 'password-changed', otherStore);
    await queue(customer.email, 'email-changed');
    await queue(otherCustomer.email);
    await sendQueuedEmails(shop.services);
    for (const to of [phone, otherPhone]) await shop.services.sms.send({ to, text: '123456' }, store);
    const remainingRecipients = [customer.email, customer.email, otherCustomer.email, otherPhone];
    expect(await readRecipients(getOutboxFolder())).toEqual(
      [...remainingRecipients, customer.email, upperCaseLocalPart(customer.email), phone].toSorted(),
    );
    expect((await deleteUser(getToken(customer))).status).toBe(200);
    expect(await readRecipients(getOutboxFolder())).toEqual(remainingRecipients.toSorted());
    await sendQueuedEmails(shop.services);
    await shop.services.outbox.removeForgotten();
    expect(await readRecipients(getOutboxFolder())).toEqual([...remainingRecipients, customer.email].toSorted());
  });

  test('the clean-up of another process removes a deleted customer’s messages from its outbox, but none of a new account', async () => {
    await emptyQueueAndOutbox();
    const folder = await mkdtemp(join(tmpdir(), 'colophon-outbox-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const otherOutbox = new Outbox(folder, shop.services.config.mediaSecret, shop.db);
    const services = { ...shop.services, outbox: otherOutbox, mail: createOutboxTransport(otherOutbox) };
    const customer = await createCustomer(shop, store);
    const phone = await linkPhone(customer, makePhone());
    await queue(customer.email);
    await sendQueuedEmails(services);
    await createOutboxSmsTransport(otherOutbox).send({ to: phone, text: '123456' }, store);
    expect((await deleteUser(getToken(customer))).status).toBe(200);
    expect(await readRecipients(folder)).toEqual([customer.email, phone].toSorted());
    await otherOutbox.removeForgotten();
    expect(await readRecipients(folder)).toEqual([]);

    await shop.db.deleteFrom('letters').execute();
    await queue(customer.email);
    await sendQueuedEmails(services);
    await otherOutbox.removeForgotten();
    expect(await readRecipients(folder)).toEqual([customer.email]);
    const selectForgottenKeys = () =>
      shop.db.selectFrom('forgotten_recipients').select('recipient_key').where('store_id', '=', store).execute();
    expect(JSON.stringify(await selectForgottenKeys())).not.toContain('example.org');
    const longAgo = new Date(Date.now() - 31 * 24 * 60 * 60_000);
    await shop.db.updateTable('forgotten_recipients').set({ forgotten_at: longAgo }).where('store_id', '=', store).execute();
    await cleanUp(shop.db);
    expect(await selectForgottenKeys()).toEqual([]);
  });

  test.each(['refuses', 'accepts'] as const)(
    'an e-mail that the mail server %s during the deletion is neither sent again nor stored in the outbox',
    async (outcome) => {
      await emptyQueueAndOutbox();
      vi.spyOn(shop.services.log, 'error').mockReturnValue();
      onTestFinished(() => void vi.restoreAllMocks());
      const customer = await createCustomer(shop, store);
      await queue(customer.email);
      const subjects: string[] = [];
      const mail = {
        async send(email: Parameters<typeof shop.services.mail.send>[0]) {
          subjects.push(email.subject.split(' ').slice(0, 2).join(' '));
          if (subjects.length === 1) expect((await deleteUser(getToken(customer))).status).toBe(200);
          if (subjects.length === 1 && outcome === 'refuses') throw new Error('The mailbox is full.');
          await shop.services.mail.send(email);
        },
        close() {},
      };
      await sendQueuedEmails({ ...shop.services, mail });
      await shop.db
        .updateTable('letters')
        .set({ due_at: new Date(0) })
        .execute();
      await sendQueuedEmails({ ...shop.services, mail });
      expect(subjects).toEqual(['Your password', 'Your account']);
      expect([await readQueue(), await readRecipients(getOutboxFolder())]).toEqual([[], [customer.email]]);
    },
  );

  test('messages of an older version are removed from the outbox by the recipient alone; the confirmation stays', async () => {
    await emptyQueueAndOutbox();
    const [customer, otherCustomer] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    const phone = await linkPhone(customer, makePhone());
    const olderTime = new Date(Date.now() - 60_000).toISOString().replaceAll(':', '-');
    await mkdir(getOutboxFolder());
    const composeMail = (to: string) => `From: Shop <no-reply@shop.example>\nTo: ${to}\nSubject: Hello\n\nTo: you@example.org\n`;
    await writeFile(join(getOutboxFolder(), `${olderTime} ${randomUUID()}.eml`), composeMail(customer.email));
    await writeFile(
      join(getOutboxFolder(), `${olderTime} ${randomUUID()}.eml`),
      composeMail(`Ann <${upperCaseLocalPart(customer.email)}>`),
    );
    // The mail library folds a header line with a long address.
    await writeFile(join(getOutboxFolder(), `${olderTime} ${randomUUID()}.eml`), composeMail(`\n ${customer.email}`));
    await writeFile(join(getOutboxFolder(), `${olderTime} ${randomUUID()}.sms`), `${phone}\n123456\n`);
    await writeFile(join(getOutboxFolder(), `${olderTime} ${randomUUID()}.eml`), composeMail(otherCustomer.email));
    await writeFile(join(getOutboxFolder(), 'notes.txt'), 'of the operator');
    expect((await deleteUser(getToken(customer))).status).toBe(200);
    await sendQueuedEmails(shop.services);
    await shop.services.outbox.removeForgotten();
    expect(await readRecipients(getOutboxFolder())).toEqual([customer.email, otherCustomer.email, 'of the operator'].toSorted());
  });

  test('a deleted customer’s messages are removed from the outbox when the clock of the deleting process is slow', async () => {
    await emptyQueueAndOutbox();
    const customer = await createCustomer(shop, store);
    await queue(customer.email);
    await sendQueuedEmails(shop.services);
    await shop.services.sms.send({ to: await linkPhone(customer, makePhone()), text: '123456' }, store);
    expect(await readRecipients(getOutboxFolder())).toHaveLength(2);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 5 * 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await deleteUser(getToken(customer))).status).toBe(200);
    expect(await readRecipients(getOutboxFolder())).toEqual([]);
  });

  test('a deleted customer’s message is removed from the outbox after a process died between writing and removing it', async () => {
    await emptyQueueAndOutbox();
    const customer = await createCustomer(shop, store);
    await queue(customer.email);
    const dyingOutbox = Object.assign(new Outbox(getOutboxFolder(), shop.services.config.mediaSecret, shop.db), {
      removeMessage: async () => {},
    });
    const mail = {
      async send(email: Parameters<typeof shop.services.mail.send>[0]) {
        expect((await deleteUser(getToken(customer))).status).toBe(200);
        await shop.db.deleteFrom('letters').execute();
        await shop.services.mail.send(email);
      },
      close() {},
    };
    await sendQueuedEmails({ ...shop.services, outbox: dyingOutbox, mail });
    expect(await readRecipients(getOutboxFolder())).toEqual([customer.email]);
    await shop.services.outbox.removeForgotten();
    expect(await readRecipients(getOutboxFolder())).toEqual([]);
  });

  test('deleting an account deletes the codes that were sent to its phone', async () => {
    const customer = await createCustomer(shop, store);
    const [phone, otherPhone] = [await linkPhone(customer, makePhone()), makePhone()];
    const codes = [phone, otherPhone].map((codePhone) => ({
      store_id: store,
      phone: codePhone,
      code_hash: 'x',
      expires_at: new Date(Date.now() + 60_000),
    }));
    const codeRequests = codes.map((code) => ({ ...code, request_hash: randomUUID() }));
    await shop.db.insertInto('phone_codes').values(codeRequests).execute();
    const sharedCodes = codes.map((code) => ({ ...code, sent_at: new Date() }));
    await shop.db.insertInto('shared_phone_codes').values(sharedCodes).execute();
    expect((await deleteUser(getToken(customer))).status).toBe(200);
    for (const table of ['phone_codes', 'shared_phone_codes'] as const) {
      const remainingCodes = await shop.db.selectFrom(table).select('phone').where('store_id', '=', store).execute();
      expect(remainingCodes).toEqual([{ phone: otherPhone }]);
    }
  });
});
