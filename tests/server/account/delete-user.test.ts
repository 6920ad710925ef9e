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
  shop.ask('deleteUser', '/user/delete', { query: { shelfid }, headers: { authorization: `Bearer ${token}` } });
const getToken = ({ query }: Customer) => query.accesstoken;
const selectUser = ({ id }: Customer) => shop.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
const signIn = async ({ email }: Customer) =>
  (await shop.ask('signIn', '/user/signin', { query: { shelfid: store, appid: 'web' }, headers: basicAuth(email, PASSWORD) }))
    .status;

test('deleting an account removes all personal data and frees its address [S7.user/delete] [S6.delete-header]', async () => {
  const customer = await createCustomer(shop, store);
  await shop.ask('changeWishList', '/user/wishlist', {
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
  const again = await shop.ask('signUp', '/user/signup', {
    query: { shelfid: store, appid: 'web' },
    headers: basicAuth(customer.email, PASSWORD),
    body: signUpXml(customer.email),
  });
  expect(again.status).toBe(200);
});

test('a deleted customer gets an e-mail about it, the last one', async () => {
  const customer = await createCustomer(shop, store);
  await deleteUser(getToken(customer));
  const emails = await readEmailsTo(shop, customer.email);
  expect(emails.map(({ subject }) => subject)).toEqual([`Your account at Books <of> ${store} has been deleted`]);
});

test('deleting an account keeps its purchases', async () => {
  const customer = await createCustomer(shop, store);
  const { status } = await shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: 'gratis' } });
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
])('%s deletes nothing', async (_what, token) => {
  expect((await deleteUser(token())).status).toBeGreaterThanOrEqual(400);
});

test('another store’s token deletes nothing', async () => {
  const customer = await createCustomer(shop, store);
  expect((await deleteUser(getToken(customer), await shop.store())).status).toBe(401);
});

test('deleting cancels an unpaid purchase, and is refused while one is being charged', async () => {
  const customer = await createCustomer(shop, store);
  const begun = await shop.ask('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book' } });
  expect(begun.status).toBe(200);
  const ofCustomer = () => shop.db.selectFrom('transactions').select('status').where('user_id', '=', customer.id).execute();
  await shop.db.updateTable('transactions').set({ status: 'capturing' }).where('user_id', '=', customer.id).execute();
  expect(await deleteUser(getToken(customer))).toMatchObject({ status: 409, value: { Code: 'payment_open' } });
  expect((await selectUser(customer))?.deleted_at).toBeNull();
  await shop.db.updateTable('transactions').set({ status: 'pending' }).where('user_id', '=', customer.id).execute();
  expect((await deleteUser(getToken(customer))).status).toBe(200);
  expect(await ofCustomer()).toEqual([{ status: 'cancelled' }]);
});

describe('messages to a customer who deletes the account', () => {
  const origin = 'https://shop.example';
  const queue = (email: string, kind: 'password-changed' | 'email-changed' | 'passkey-added' = 'password-changed', at = store) =>
    enqueueEmail(shop.db, { storeId: at, kind, email, language: 'en', origin });
  const queued = async () =>
    (await shop.db.selectFrom('letters').select(['kind', 'email']).where('store_id', '=', store).execute())
      .map(({ kind, email }) => `${kind} ${email}`)
      .toSorted();
  /** The recipients of the files in an outbox, one for each file. */
  const recipientsIn = async (folder: string) => {
    const names = await readdir(folder);
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return texts.map((text) => /^To: (.*)$/m.exec(text)?.[1] ?? text.split('\n')[0] ?? '').toSorted();
  };
  const outbox = () => join(shop.folder, 'outbox');
  const phoneOf = async ({ id }: Customer, phone: string) => {
    const identity = { store_id: store, issuer: 'phone', subject: phone, user_id: id };
    await shop.db.insertInto('identities').values(identity).execute();
    return phone;
  };
  /** The same address in a different case. */
  const shouted = (email: string) => email.replace(/^[^@]+/, (name) => name.toUpperCase());
  const newPhone = () => `+4474${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
  const emptied = async () => {
    await shop.db.deleteFrom('letters').execute();
    await rm(outbox(), { recursive: true, force: true });
  };

  test('are removed from the queue, except the confirmation and a warning to an earlier address', async () => {
    await emptied();
    const [customer, other] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    await queue(customer.email);
    await queue(shouted(customer.email), 'passkey-added');
    await queue('earlier@example.org', 'email-changed');
    // A thief who changed the address could open an account with the earlier one and delete that.
    await queue(customer.email, 'email-changed');
    await queue(other.email);
    const { value } = await shop.ask('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book' } });
    const { transId } = value as { transId: string };
    const receipt = { store_id: store, kind: 'receipt', email: '', language: 'en', origin, transaction_id: transId } as const;
    await shop.db
      .insertInto('letters')
      .values({ ...receipt, id: randomUUID() })
      .execute();
    expect(await queued()).toHaveLength(6);
    expect((await deleteUser(getToken(customer))).status).toBe(200);
    expect(await queued()).toEqual(
      [
        `account-deleted ${customer.email}`,
        `email-changed ${customer.email}`,
        'email-changed earlier@example.org',
        `password-changed ${other.email}`,
      ].toSorted(),
    );
  });

  test('are removed from the outbox, except the confirmation and a warning; those of other customers and stores stay', async () => {
    await emptied();
    const elsewhere = await shop.store();
    const [customer, other] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    const [phone, otherPhone] = [await phoneOf(customer, newPhone()), newPhone()];
    await queue(customer.email);
    await queue(shouted(customer.email));
    await queue(customer.email, 'password-changed', elsewhere);
    await queue(customer.email, 'email-changed');
    await queue(other.email);
    await sendQueuedEmails(shop.services);
    for (const to of [phone, otherPhone]) await shop.services.sms.send({ to, text: '123456' }, store);
    const stays = [customer.email, customer.email, other.email, otherPhone];
    expect(await recipientsIn(outbox())).toEqual([...stays, customer.email, shouted(customer.email), phone].toSorted());
    expect((await deleteUser(getToken(customer))).status).toBe(200);
    expect(await recipientsIn(outbox())).toEqual(stays.toSorted());
    await sendQueuedEmails(shop.services);
    await shop.services.outbox.removeForgotten();
    expect(await recipientsIn(outbox())).toEqual([...stays, customer.email].toSorted());
  });

  test('are removed from the outboxes of other processes at their next clean-up; a new account with the address keeps its own', async () => {
    await emptied();
    const folder = await mkdtemp(join(tmpdir(), 'colophon-outbox-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const process = new Outbox(folder, shop.services.config.mediaSecret, shop.db);
    const services = { ...shop.services, outbox: process, mail: createOutboxTransport(process) };
    const customer = await createCustomer(shop, store);
    const phone = await phoneOf(customer, newPhone());
    await queue(customer.email);
    await sendQueuedEmails(services);
    await createOutboxSmsTransport(process).send({ to: phone, text: '123456' }, store);
    expect((await deleteUser(getToken(customer))).status).toBe(200);
    expect(await recipientsIn(folder)).toEqual([customer.email, phone].toSorted());
    await process.removeForgotten();
    expect(await recipientsIn(folder)).toEqual([]);

    await shop.db.deleteFrom('letters').execute();
    await queue(customer.email);
    await sendQueuedEmails(services);
    await process.removeForgotten();
    expect(await recipientsIn(folder)).toEqual([customer.email]);
    const rows = () => shop.db.selectFrom('forgotten_recipients').select('recipient_key').where('store_id', '=', store).execute();
    expect(JSON.stringify(await rows())).not.toContain('example.org');
    const longAgo = new Date(Date.now() - 31 * 24 * 60 * 60_000);
    await shop.db.updateTable('forgotten_recipients').set({ forgotten_at: longAgo }).where('store_id', '=', store).execute();
    await cleanUp(shop.db);
    expect(await rows()).toEqual([]);
  });

  test.each(['refuses', 'takes'] as const)(
    'that are being sent during the deletion are neither sent again nor kept in the outbox, whether the mail server %s them',
    async (answer) => {
      await emptied();
      vi.spyOn(shop.services.log, 'error').mockReturnValue();
      onTestFinished(() => void vi.restoreAllMocks());
      const customer = await createCustomer(shop, store);
      await queue(customer.email);
      const tried: string[] = [];
      const mail = {
        async send(sent: Parameters<typeof shop.services.mail.send>[0]) {
          tried.push(sent.subject.split(' ').slice(0, 2).join(' '));
          if (tried.length === 1) expect((await deleteUser(getToken(customer))).status).toBe(200);
          if (tried.length === 1 && answer === 'refuses') throw new Error('The mailbox is full.');
          await shop.services.mail.send(sent);
        },
        close() {},
      };
      await sendQueuedEmails({ ...shop.services, mail });
      await shop.db
        .updateTable('letters')
        .set({ due_at: new Date(0) })
        .execute();
      await sendQueuedEmails({ ...shop.services, mail });
      expect(tried).toEqual(['Your password', 'Your account']);
      expect([await queued(), await recipientsIn(outbox())]).toEqual([[], [customer.email]]);
    },
  );

  test('from an older version are removed from the outbox in every store; the confirmation stays', async () => {
    await emptied();
    const [customer, other] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    const phone = await phoneOf(customer, newPhone());
    const older = new Date(Date.now() - 60_000).toISOString().replaceAll(':', '-');
    await mkdir(outbox());
    const mailTo = (to: string) => `From: Shop <no-reply@shop.example>\nTo: ${to}\nSubject: Hello\n\nTo: you@example.org\n`;
    await writeFile(join(outbox(), `${older} ${randomUUID()}.eml`), mailTo(customer.email));
    await writeFile(join(outbox(), `${older} ${randomUUID()}.eml`), mailTo(`Ann <${shouted(customer.email)}>`));
    // As the mail library folds a long address.
    await writeFile(join(outbox(), `${older} ${randomUUID()}.eml`), mailTo(`\n ${customer.email}`));
    await writeFile(join(outbox(), `${older} ${randomUUID()}.sms`), `${phone}\n123456\n`);
    await writeFile(join(outbox(), `${older} ${randomUUID()}.eml`), mailTo(other.email));
    await writeFile(join(outbox(), 'notes.txt'), 'of the operator');
    expect((await deleteUser(getToken(customer))).status).toBe(200);
    await sendQueuedEmails(shop.services);
    await shop.services.outbox.removeForgotten();
    expect(await recipientsIn(outbox())).toEqual([customer.email, other.email, 'of the operator'].toSorted());
  });

  test('are removed from the outbox where the clock of the deleting process is slow', async () => {
    await emptied();
    const customer = await createCustomer(shop, store);
    await queue(customer.email);
    await sendQueuedEmails(shop.services);
    await shop.services.sms.send({ to: await phoneOf(customer, newPhone()), text: '123456' }, store);
    expect(await recipientsIn(outbox())).toHaveLength(2);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 5 * 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await deleteUser(getToken(customer))).status).toBe(200);
    expect(await recipientsIn(outbox())).toEqual([]);
  });

  test('are removed from the outbox where a process died between writing one and removing it', async () => {
    await emptied();
    const customer = await createCustomer(shop, store);
    await queue(customer.email);
    const dying = Object.assign(new Outbox(outbox(), shop.services.config.mediaSecret, shop.db), {
      removeMessage: async () => {},
    });
    const mail = {
      async send(sent: Parameters<typeof shop.services.mail.send>[0]) {
        expect((await deleteUser(getToken(customer))).status).toBe(200);
        await shop.db.deleteFrom('letters').execute();
        await shop.services.mail.send(sent);
      },
      close() {},
    };
    await sendQueuedEmails({ ...shop.services, outbox: dying, mail });
    expect(await recipientsIn(outbox())).toEqual([customer.email]);
    await shop.services.outbox.removeForgotten();
    expect(await recipientsIn(outbox())).toEqual([]);
  });

  test('include the code that was sent to their phone, which stops working', async () => {
    const customer = await createCustomer(shop, store);
    const [phone, otherPhone] = [await phoneOf(customer, newPhone()), newPhone()];
    const codes = [phone, otherPhone].map((each) => ({
      store_id: store,
      phone: each,
      code_hash: 'x',
      expires_at: new Date(Date.now() + 60_000),
    }));
    const requests = codes.map((code) => ({ ...code, request_hash: randomUUID() }));
    await shop.db.insertInto('phone_codes').values(requests).execute();
    const shared = codes.map((code) => ({ ...code, sent_at: new Date() }));
    await shop.db.insertInto('shared_phone_codes').values(shared).execute();
    expect((await deleteUser(getToken(customer))).status).toBe(200);
    for (const table of ['phone_codes', 'shared_phone_codes'] as const) {
      const left = await shop.db.selectFrom(table).select('phone').where('store_id', '=', store).execute();
      expect(left).toEqual([{ phone: otherPhone }]);
    }
  });
});
