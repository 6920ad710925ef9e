import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { enqueueEmail } from '../../../server/mail/queue.ts';
import { sendQueuedEmails } from '../../../server/jobs/send-queued-emails.ts';
import { createSmtpTransport, type Mail } from '../../../server/mail/transport.ts';
import { createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());
beforeEach(() => shop.db.deleteFrom('letters').execute());

/**
 * Starts a mail server that refuses mails while `refuses` returns true.
 * @returns a function that reads its mails, and its URL
 */
const startMailServer = async (refuses: () => boolean = () => false) => {
  const receivedMails: Buffer[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refuses()) return done(new Error('The mailbox is full.'));
        receivedMails.push(Buffer.concat(chunks));
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const readMails = (): Promise<Email[]> => Promise.all(receivedMails.map((mail) => PostalMime.parse(mail)));
  return { readMails, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` };
};

const createServices = (url: string) => {
  const mail = createSmtpTransport(url);
  onTestFinished(() => mail.close());
  return { ...shop.services, mail };
};

const enqueueTestEmail = (email: string) =>
  enqueueEmail(shop.db, { storeId: store, kind: 'password-changed', email, language: 'fr', origin: 'https://shop.example' });
const selectQueuedEmails = () => shop.db.selectFrom('letters').selectAll().execute();
const makeEmailsDue = () =>
  shop.db
    .updateTable('letters')
    .set({ due_at: new Date(0) })
    .execute();

test('an e-mail is sent over SMTP, once, and then deleted from the queue', async () => {
  const { readMails, url } = await startMailServer();
  const { email } = await createCustomer(shop, store);
  await enqueueTestEmail(email);
  await sendQueuedEmails(createServices(url));
  await sendQueuedEmails(createServices(url));
  const [mail, ...otherMails] = await readMails();
  expect(otherMails).toEqual([]);
  expect(mail?.to?.map(({ address }) => address)).toEqual([email]);
  expect(mail?.subject).toContain('a été modifié');
  expect(mail?.text).toContain('https://shop.example/forgotpassword');
  expect(mail?.messageId).toMatch(/^<[\w-]{36}@shop\.example>$/);
  expect(await selectQueuedEmails()).toEqual([]);
});

test('an e-mail that the mail server refuses is retried with growing pauses, and sent in the end', async () => {
  let isFull = true;
  const { readMails, url } = await startMailServer(() => isFull);
  await enqueueTestEmail('ann@example.org');
  const services = createServices(url);
  const pausesInMinutes: number[] = [];
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await sendQueuedEmails(services);
    const [message] = await selectQueuedEmails();
    pausesInMinutes.push(Math.round(((message?.due_at.getTime() ?? 0) - Date.now()) / 60_000));
    await makeEmailsDue();
  }
  expect(pausesInMinutes).toEqual([1, 2, 4, 8]);
  isFull = false;
  await sendQueuedEmails(services);
  expect(await readMails()).toHaveLength(1);
  expect(await selectQueuedEmails()).toEqual([]);
});

test('an e-mail that can never be sent is dropped after twelve attempts, and does not delay other e-mails', async () => {
  const recipients: string[] = [];
  const mail = {
    send: async ({ to }: Mail) => {
      if (to.startsWith('bad')) throw new Error('Unknown mailbox.');
      recipients.push(to);
    },
    close: () => {},
  };
  await enqueueTestEmail('bad@example.org');
  await enqueueTestEmail('good@example.org');
  for (let attempt = 0; attempt < 12; attempt += 1) {
    await sendQueuedEmails({ ...shop.services, mail });
    expect(recipients).toEqual(['good@example.org']);
    await makeEmailsDue();
  }
  expect(await selectQueuedEmails()).toEqual([]);
});

test('without a mail server, e-mails stay queued', async () => {
  await enqueueTestEmail('ann@example.org');
  // No server listens on port 9 here.
  await sendQueuedEmails(createServices('smtp://127.0.0.1:9'));
  expect(await selectQueuedEmails()).toHaveLength(1);
});

test('concurrent senders share the queue, and send each e-mail once', async () => {
  const recipients: string[] = [];
  const mail = { send: async ({ to }: Mail) => void recipients.push(to), close: () => {} };
  const addresses = Array.from({ length: 20 }, () => `${randomUUID()}@example.org`);
  for (const address of addresses) await enqueueTestEmail(address);
  await Promise.all([1, 2, 3].map(() => sendQueuedEmails({ ...shop.services, mail })));
  expect(recipients.toSorted()).toEqual(addresses.toSorted());
});
