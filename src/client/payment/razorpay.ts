import * as v from 'valibot';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';
import { throwProblem } from '../wire/problem.ts';
import { fallbackIfUnsupported } from '../wire/unsupported-call.ts';

const callName = 'razorpay/verify';

const Verification = v.object({ verified: v.optional(v.boolean(), true) });

/** The parameters that Razorpay adds to the return URL of a payment; null without them. */
const getPaymentParameters = (search: string): { paymentId: string; subscriptionId: string; sign: string } | null => {
  const query = new URLSearchParams(search);
  const [paymentId, sign] = [query.get('razorpay_payment_id'), query.get('razorpay_signature')];
  const goodsIds = ['subscription', 'order', 'payment_link'].map((kind) => query.get(`razorpay_${kind}_id`));
  const subscriptionId = goodsIds.find((id) => id !== null);
  return paymentId && sign && subscriptionId ? { paymentId, subscriptionId, sign } : null;
};

/**
 * Lets the server verify the signature that Razorpay gave a payment, if the page's address has one.
 * The order id of a title or a cart is sent as `subscriptionId`, the call's only name for it.
 * @returns whether there is a signature and it is valid
 * @throws Problem `refused payment_failed` where the signature is invalid
 */
export const verifyRazorpayPayment = async (api: Api, search: string): Promise<boolean> => {
  const query = getPaymentParameters(search);
  if (query === null) return false;
  const responsePromise = api.client.GET('/razorpay/verify', {
    params: { query },
    ...api.changeOptions(`verify-${query.paymentId}`),
  });
  // A server without the call has verified it by itself.
  const { verified } = await readJsonResponse(api, callName, responsePromise, Verification).catch((error: unknown) =>
    fallbackIfUnsupported(error, { verified: true }),
  );
  return verified || throwProblem({ kind: 'refused', code: 'payment_failed', message: '' });
};
