import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway } from '../../../server/gateway/app.ts';
import type { GatewayIntent } from '../../../server/gateway/intent.ts';
import type { GatewayNames } from '../../../server/payment/gateway-names.ts';
import type { PaymentPort } from '../../../server/payment/port.ts';
import { razorpayGateway } from '../../../server/payment/razorpay/razorpay-gateway.ts';
import { stripeGateway } from '../../../server/payment/stripe/stripe-gateway.ts';
import { testGateway } from '../../../server/payment/test-gateway.ts';
import type { Trouble } from './gateway-stand-in.ts';
import { CARDS, pay, post } from './paying.ts';
import { RAZORPAY_KEYS, standInForRazorpay } from './razorpay/stand-in.ts';
import type { Card } from './stripe/book.ts';
import { standInForStripe, STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from './stripe/stand-in.ts';

/** Milliseconds: long enough for an answer on a busy machine, short enough to wait for a lost one. */
const TIMEOUT = 2500;

/** A gateway that a test plays the customer of. */
export type Played = {
  port: PaymentPort;
  /** Types a card on its page. @returns whether it was taken */
  pay(url: string, card: Card): Promise<boolean>;
  /** Pays there without a card, or does not. @returns whether it was taken */
  payWithout(url: string, approves: boolean): Promise<boolean>;
  /** How often a payment was charged, by the store's name for it. */
  charges(reference: string): Promise<number>;
  /** What went back of it, in the smallest unit of its currency. */
  refunded(reference: string): Promise<number>;
  /** Gives back an amount of it, as the gateway's own pages do; left out where it has none for that. */
  giveBack?(reference: string, amount: number): void;
  /** Lets days pass there. */
  passes(days: number): void;
  /** What was sent to it that it does not take. */
  unknown: string[];
  /** The next call that makes an intent, captures one, or gives it back, goes wrong. */
  trouble(call: 'create' | 'capture' | 'refund', kind: Trouble): void;
  close(): Promise<unknown>;
};

const DAY = 24 * 60 * 60_000;

/** What a gateway calls things, kept in memory. */
export function namesInMemory(): GatewayNames {
  const ids = new Map<string, string>();
  return {
    find: async (kind, name) => ids.get(`${kind} ${name}`),
    async keep(kind, name, id) {
      const key = `${kind} ${name}`;
      if (!ids.has(key)) ids.set(key, id);
      return ids.get(key) ?? id;
    },
    async replace(kind, name, from, to) {
      const key = `${kind} ${name}`;
      if (ids.get(key) === from) ids.set(key, to);
      return ids.get(key) ?? to;
    },
  };
}

export const stripeAccess = (at: { host: string; port: number; protocol: 'http' }) => ({
  secretKey: STRIPE_KEY,
  webhookSecret: STRIPE_WEBHOOK_SECRET,
  timeout: TIMEOUT,
  at,
});

export const razorpayAccess = (origin: string) => ({ ...RAZORPAY_KEYS, timeout: TIMEOUT, origin });

async function playTest(): Promise<Played> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-gateway-'));
  let ahead = 0;
  const gateway = createGateway({ folder, secret: 'the secret of the tests', now: () => Date.now() + ahead });
  await gateway.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
  /** What the journal says of a payment in a state. */
  const written = async (reference: string, state: string) => {
    const lines = (await readFile(join(folder, 'journal.jsonl'), 'utf8')).trim().split('\n');
    const intents = lines.map((line) => (JSON.parse(line) as { intent?: GatewayIntent }).intent);
    return intents
      .filter((intent) => intent !== undefined)
      .filter((each) => each.reference === reference && each.state === state);
  };
  return {
    port: testGateway({ origin, secret: 'the secret of the tests', timeout: TIMEOUT }),
    async pay(url, card) {
      const answer = await pay(url, CARDS[card]);
      return answer.headers.get('location')?.startsWith('http') === true;
    },
    async payWithout(url, approves) {
      const { origin: at, pathname } = new URL(url);
      const answer = await post(`${at}${pathname}/wallet`, { answer: approves ? 'approve' : 'fail' });
      return answer.headers.get('location')?.startsWith('http') === true;
    },
    charges: async (reference) => Object.keys(Object.groupBy(await written(reference, 'captured'), ({ id }) => id)).length,
    refunded: async (reference) => (await written(reference, 'captured')).at(-1)?.refundedMinor ?? 0,
    passes: (days) => void (ahead += days * DAY),
    unknown: [],
    trouble() {
      throw new Error('The built-in gateway has troubles of its own: its cards.');
    },
    async close() {
      await gateway.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function playStripe(): Promise<Played> {
  const standIn = await standInForStripe();
  const { book } = standIn;
  const calls = {
    create: 'POST /v1/checkout/sessions',
    capture: 'POST /v1/payment_intents/:id/capture',
    refund: 'POST /v1/refunds',
  };
  return {
    port: stripeGateway({ ...stripeAccess(standIn.at), now: () => Date.now() + book.ahead }, namesInMemory()).port,
    pay: async (url, card) => book.pay(url, card) !== null,
    payWithout: async (url, approves) => book.pay(url, approves ? 'good' : 'declined') !== null,
    charges: async (reference) => book.charges(reference),
    refunded: async (reference) => book.refunded(reference),
    giveBack(reference, amount) {
      const payment = [...book.payments.values()].find(({ metadata }) => metadata['reference'] === reference);
      if (payment) book.refund(payment, amount);
    },
    passes: (days) => void (book.ahead += days * DAY),
    unknown: standIn.unknown,
    trouble: (call, kind) => standIn.trouble(calls[call], kind),
    close: standIn.close,
  };
}

async function playRazorpay(): Promise<Played> {
  const standIn = await standInForRazorpay();
  const { book } = standIn;
  const calls = { create: 'POST /v1/orders', capture: 'POST /v1/payments/:id/capture', refund: 'POST /v1/payments/:id/refund' };
  return {
    port: razorpayGateway({ ...razorpayAccess(standIn.origin), now: () => Date.now() + book.ahead }, namesInMemory()).port,
    pay: async (url, card) => book.pay(url.split('/').at(-1) ?? '', card) !== undefined,
    payWithout: async (url, approves) => book.pay(url.split('/').at(-1) ?? '', approves ? 'good' : 'declined') !== undefined,
    charges: async (reference) => book.charges(reference),
    refunded: async (reference) => book.refunded(reference),
    giveBack(reference, amount) {
      const order = [...book.orders.values()].find(({ notes }) => notes['reference'] === reference);
      const payment = [...book.payments.values()].find(({ order_id: id }) => id === order?.id);
      if (payment) book.refund(payment, amount);
    },
    passes: (days) => void (book.ahead += days * DAY),
    unknown: standIn.unknown,
    trouble: (call, kind) => standIn.trouble(calls[call], kind),
    close: standIn.close,
  };
}

export const GATEWAYS = { test: playTest, stripe: playStripe, razorpay: playRazorpay };
