import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { queueLetter } from '../../../server/mail/queue.ts';
import { sendLetters } from '../../../server/jobs/send-letters.ts';
import { smtpTransport, type Mail } from '../../../server/mail/transport.ts';
import { customerOf } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());
beforeEach(() => shop.db.deleteFrom('letters').execute());

/** A mail server on a port of its own, and what it was given; it may refuse. */
const mailServer = async (refuses: () => boolean = () => false) => {
  const received: Buffer[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        if (refuses()) return done(new Error('The mailbox is full.'));
        received.push(Buffer.concat(parts));
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const mails = (): Promise<Email[]> => Promise.all(received.map((mail) => PostalMime.parse(mail)));
  return { mails, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` };
};

const sending = (url: string) => {
  const mail = smtpTransport(url);
  onTestFinished(() => mail.close());
  return { ...shop.services, mail };
};

const queue = (email: string) =>
  queueLetter(shop.db, { storeId: store, kind: 'password-changed', email, language: 'fr', origin: 'https://shop.example' });
const waiting = () => shop.db.selectFrom('letters').selectAll().execute();
const becomeDue = () =>
  shop.db
    .updateTable('letters')
    .set({ due_at: new Date(0) })
    .execute();

test('a letter is sent over SMTP, once, and is kept no longer', async () => {
  const { mails, url } = await mailServer();
  const { email } = await customerOf(shop, store);
  await queue(email);
  await sendLetters(sending(url));
  await sendLetters(sending(url));
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail?.to?.map(({ address }) => address)).toEqual([email]);
  expect(mail?.subject).toContain('a été modifié');
  expect(mail?.text).toContain('https://shop.example/forgotpassword');
  expect(mail?.messageId).toMatch(/^<[\w-]{36}@shop\.example>$/);
  expect(await waiting()).toEqual([]);
});

test('a letter that the mail server refuses stays, waits longer each time, and is sent in the end', async () => {
  let isFull = true;
  const { mails, url } = await mailServer(() => isFull);
  await queue('ann@example.org');
  const services = sending(url);
  const waits: number[] = [];
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await sendLetters(services);
    const [letter] = await waiting();
    waits.push(Math.round(((letter?.due_at.getTime() ?? 0) - Date.now()) / 60_000));
    await becomeDue();
  }
  expect(waits).toEqual([1, 2, 4, 8]);
  isFull = false;
  await sendLetters(services);
  expect(await mails()).toHaveLength(1);
  expect(await waiting()).toEqual([]);
});

test('a letter that can never be sent is given up after a day, and holds up no other', async () => {
  const sent: string[] = [];
  const mail = {
    send: async ({ to }: Mail) => {
      if (to.startsWith('bad')) throw new Error('There is no such mailbox.');
      sent.push(to);
    },
    close: () => {},
  };
  await queue('bad@example.org');
  await queue('good@example.org');
  for (let attempt = 0; attempt < 12; attempt += 1) {
    await sendLetters({ ...shop.services, mail });
    expect(sent).toEqual(['good@example.org']);
    await becomeDue();
  }
  expect(await waiting()).toEqual([]);
});

test('where no mail server answers, letters wait', async () => {
  await queue('ann@example.org');
  // Nobody listens to port 9 here.
  await sendLetters(sending('smtp://127.0.0.1:9'));
  expect(await waiting()).toHaveLength(1);
});

test('several that send at once share the letters', async () => {
  const sent: string[] = [];
  const mail = { send: async ({ to }: Mail) => void sent.push(to), close: () => {} };
  const addresses = Array.from({ length: 20 }, () => `${randomUUID()}@example.org`);
  for (const address of addresses) await queue(address);
  await Promise.all([1, 2, 3].map(() => sendLetters({ ...shop.services, mail })));
  expect(sent.toSorted()).toEqual(addresses.toSorted());
});
