import * as v from 'valibot';
import { PaymentSession, PaymentState } from '../../machines/model/purchase.ts';
import type { Tax } from '../../machines/model/tax.ts';
import { type Base, webAddress } from './address.ts';
import type { Api } from './client.ts';
import { Grant } from './free-title.ts';
import { jsonAnswer } from './json.ts';
import { confirmedTax } from './tax.ts';

const address = (base: Base) =>
  v.pipe(
    v.string(),
    v.transform((text) => webAddress(text, base)),
  );

/** The answer of a call that begins a payment; `base` is what relative addresses are relative to. */
export const SessionAnswer = (base: Base) =>
  v.object({
    ...PaymentSession.entries,
    transId: v.pipe(v.string(), v.nonEmpty()),
    provider: v.optional(v.string(), ''),
    url: v.pipe(address(base), v.nonEmpty('no http(s) address')),
  });

/** The answer of a call that says where a payment stands. */
export const StateAnswer = (base: Base) =>
  v.object({
    ...PaymentState.entries,
    transId: v.pipe(v.string(), v.nonEmpty()),
    titleId: v.optional(v.string(), ''),
    intentId: v.nullish(v.string(), null),
    url: v.nullish(
      v.pipe(
        address(base),
        v.transform((text) => text || null),
      ),
      null,
    ),
    reason: v.nullish(v.string(), null),
  });

/**
 * Takes an authorised payment and grants its title, or all of a cart, once for a transaction however often it is asked.
 * @throws Problem of any kind, `price_changed` where the tax is not the one that was authorised; `mayHaveHappened` tells the ones after which only the session status knows.
 */
export const confirmTitlePurchase = (
  api: Api,
  { transId, intentId, key, tax }: { transId: string; intentId: string; key: string; tax?: Tax | undefined },
  signal?: AbortSignal,
): Promise<Grant> => {
  const sending = api.client.GET('/purchase/title/confirm', {
    params: { query: { transactonId: transId, intentId, ...confirmedTax(tax) } },
    ...api.changing(key, signal),
  });
  return jsonAnswer(api, 'purchase/title/confirm', sending, Grant);
};

/** Where a transaction stands; changes nothing. */
export const sessionStatus = (api: Api, transId: string, signal?: AbortSignal): Promise<PaymentState> =>
  jsonAnswer(
    api,
    'checkout/session/status',
    api.client.GET('/checkout/session/status', { params: { query: { transId } }, ...api.reading(signal) }),
    StateAnswer(api.base),
  );
