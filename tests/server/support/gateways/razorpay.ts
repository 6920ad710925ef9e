import { createHmac } from 'node:crypto';
import { razorpayGateway } from '../../../../server/payment/razorpay/razorpay-gateway.ts';
import { RAZORPAY_KEYS, standInForRazorpay } from '../razorpay/stand-in.ts';
import { DAY, namesInMemory, type Played, TIMEOUT } from './played.ts';

export const razorpayAccess = (origin: string) => ({ ...RAZORPAY_KEYS, timeout: TIMEOUT, origin });

export const signedByRazorpay = (body: string): Record<string, string> => ({
  'x-razorpay-signature': createHmac('sha256', RAZORPAY_KEYS.webhookSecret).update(body).digest('hex'),
});

export async function playRazorpay(): Promise<Played> {
  const standIn = await standInForRazorpay();
  const { book } = standIn;
  const calls = { create: 'POST /v1/orders', capture: 'POST /v1/payments/:id/capture', refund: 'POST /v1/payments/:id/refund' };
  return {
    gateway: razorpayGateway({ ...razorpayAccess(standIn.origin), now: () => Date.now() + book.ahead }, namesInMemory()),
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
    webhook(reference) {
      const body = JSON.stringify({ event: 'order.paid', payload: { order: { entity: { notes: { reference } } } } });
      return { body, headers: signedByRazorpay(body) };
    },
    lacks: { changesAtOnce: 'it does not say before what it would charge for another plan' },
    trouble: (call, kind) => standIn.trouble(calls[call], kind),
    close: standIn.close,
  };
}
