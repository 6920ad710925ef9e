import { createHmac } from 'node:crypto';
import { createRazorpayGateway } from '../../../../server/payment/razorpay/razorpay-gateway.ts';
import { RAZORPAY_KEYS, startFakeRazorpay } from '../razorpay/fake-razorpay.ts';
import { DAY_MS, createMemoryGatewayNames, type GatewayHarness, TIMEOUT_MS } from './harness.ts';

export const createRazorpayAccess = (origin: string) => ({ ...RAZORPAY_KEYS, timeout: TIMEOUT_MS, origin });

export const signAsRazorpay = (body: string): Record<string, string> => ({
  'x-razorpay-signature': createHmac('sha256', RAZORPAY_KEYS.webhookSecret).update(body).digest('hex'),
});

export async function startRazorpayHarness(): Promise<GatewayHarness> {
  const fakeRazorpay = await startFakeRazorpay();
  const { gatewayState } = fakeRazorpay;
  const calls = { create: 'POST /v1/orders', capture: 'POST /v1/payments/:id/capture', refund: 'POST /v1/payments/:id/refund' };
  return {
    gateway: createRazorpayGateway(
      { ...createRazorpayAccess(fakeRazorpay.origin), now: () => Date.now() + gatewayState.clockOffsetMs },
      createMemoryGatewayNames(),
    ),
    pay: async (url, card) => gatewayState.pay(url.split('/').at(-1) ?? '', card) !== undefined,
    payWithoutCard: async (url, approves) =>
      gatewayState.pay(url.split('/').at(-1) ?? '', approves ? 'good' : 'declined') !== undefined,
    countCharges: async (reference) => gatewayState.countCharges(reference),
    readRefundedMinor: async (reference) => gatewayState.sumRefunds(reference),
    refundAtDashboard(reference, amount) {
      const order = [...gatewayState.orders.values()].find(({ notes }) => notes['reference'] === reference);
      const payment = [...gatewayState.payments.values()].find(({ order_id: id }) => id === order?.id);
      if (payment) gatewayState.refund(payment, amount);
    },
    advanceDays: (days) => void (gatewayState.clockOffsetMs += days * DAY_MS),
    unknownRequests: fakeRazorpay.unknownRequests,
    webhook(reference) {
      const body = JSON.stringify({ event: 'order.paid', payload: { order: { entity: { notes: { reference } } } } });
      return { body, headers: signAsRazorpay(body) };
    },
    unsupported: { immediatePlanChange: 'it does not preview the charge for a plan change' },
    failNext: (call, kind) => fakeRazorpay.failNext(calls[call], kind),
    close: fakeRazorpay.close,
  };
}
