import * as v from 'valibot';
import type { Api } from '../wire/client.ts';
import { jsonAnswer } from '../wire/json.ts';
import { raise } from '../wire/problem.ts';
import { orWhenUnknownCall } from '../wire/unknown-call.ts';

const call = 'razorpay/verify';

const Verification = v.object({ verified: v.optional(v.boolean(), true) });

/** The parameters that Razorpay adds to the address to which a payment returns. */
const paymentIn = (search: string): { paymentId: string; subscriptionId: string; sign: string } | null => {
  const query = new URLSearchParams(search);
  const [paymentId, sign] = [query.get('razorpay_payment_id'), query.get('razorpay_signature')];
  const paidFor = ['subscription', 'order', 'payment_link'].map((kind) => query.get(`razorpay_${kind}_id`));
  const subscriptionId = paidFor.find((id) => id !== null);
  return paymentId && sign && subscriptionId ? { paymentId, subscriptionId, sign } : null;
};

/**
 * Has the server check the signature that Razorpay gave to a payment, where the address of the page
 * brings one. The id of the order of a title or a cart is sent as `subscriptionId`, the only name
 * that the call has for it.
 * @returns whether there is one, and it holds
 * @throws Problem `refused payment_failed` where the signature does not hold
 */
export const verifyPayment = async (api: Api, search: string): Promise<boolean> => {
  const query = paymentIn(search);
  if (query === null) return false;
  const sending = api.client.GET('/razorpay/verify', {
    params: { query },
    ...api.changing(`verify-${query.paymentId}`),
  });
  // A server without the call has checked it by itself.
  const { verified } = await jsonAnswer(api, call, sending, Verification).catch((error: unknown) =>
    orWhenUnknownCall(error, { verified: true }),
  );
  return verified || raise({ kind: 'refused', code: 'payment_failed', message: '' });
};
