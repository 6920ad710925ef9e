import * as v from 'valibot';
import { PaymentSession, PaymentState } from '../../../machines/model/buying/purchase.ts';
import { type Base, toWebAddress } from '../wire/address.ts';
import type { Api } from '../wire/client.ts';
import { readGrant, type Grant } from '../catalogue/free-title.ts';
import { fetchCards } from './cards.ts';
import { readJsonResponse } from '../wire/json.ts';
import { createBillingAddresses } from './billing-addresses.ts';
import type { Scoped } from '../environment/scope.ts';
import { throwProblem } from '../wire/problem.ts';
import { verifyRazorpayPayment } from './razorpay.ts';
import type { ShopClient } from '../wire/shop-client.ts';
import { findStartedPayment, mayBePaidElsewhere } from './started-payments.ts';
import { toGiftInfo } from './gift-info.ts';
import { cartDraftId, readGiftDraft } from './gift-draft.ts';
import { findPendingGift } from './pending-payments.ts';
import { getShopTime } from '../wire/shop-time.ts';
import { toConfirmedTax } from './tax.ts';

const WebAddress = (base: Base) =>
  v.pipe(
    v.string(),
    v.transform((text) => toWebAddress(text, base)),
  );

/** The answer of a call that starts a payment; relative addresses are resolved against `base`. */
export const SessionResponse = (base: Base) =>
  v.object({
    ...PaymentSession.entries,
    transId: v.pipe(v.string(), v.nonEmpty()),
    provider: v.optional(v.string(), ''),
    url: v.pipe(WebAddress(base), v.nonEmpty('expected an http(s) address')),
  });

type Status = PaymentState['status'];

/** Payment states in the terms of other servers and payment services, in lower case. */
const statusWords: Readonly<Record<string, Status>> = {
  created: 'pending',
  incomplete: 'pending',
  initiated: 'pending',
  inprogress: 'pending',
  new: 'pending',
  open: 'pending',
  processing: 'pending',
  requiresaction: 'pending',
  requiresconfirmation: 'pending',
  requirespaymentmethod: 'pending',
  started: 'pending',
  unpaid: 'pending',
  waiting: 'pending',
  // A captured payment is confirmed as well, since the confirmation grants the title.
  approved: 'authorized',
  authorised: 'authorized',
  captured: 'authorized',
  charged: 'authorized',
  complete: 'authorized',
  completed: 'authorized',
  confirmed: 'authorized',
  done: 'authorized',
  fulfilled: 'authorized',
  ok: 'authorized',
  requirescapture: 'authorized',
  settled: 'authorized',
  succeeded: 'authorized',
  success: 'authorized',
  declined: 'failed',
  denied: 'failed',
  error: 'failed',
  failure: 'failed',
  refused: 'failed',
  rejected: 'failed',
  abandoned: 'cancelled',
  aborted: 'cancelled',
  canceled: 'cancelled',
  expired: 'cancelled',
  timedout: 'cancelled',
  void: 'cancelled',
  voided: 'cancelled',
};

const Status = v.pipe(
  v.string(),
  v.transform((text) => text.toLowerCase().replace(/[\s_-]/g, '')),
  v.transform((word) => statusWords[word] ?? word),
  PaymentState.entries.status,
);

/** The answer of a call for the status of a payment. */
export const StateResponse = (base: Base) =>
  v.pipe(
    v.object({
      ...PaymentState.entries,
      status: Status,
      transId: v.pipe(v.string(), v.nonEmpty()),
      titleId: v.optional(v.string(), ''),
      intentId: v.nullish(v.string(), null),
      url: v.nullish(
        v.pipe(
          WebAddress(base),
          v.transform((text) => text || null),
        ),
        null,
      ),
      reason: v.nullish(v.string(), null),
    }),
    // A payment without an intent is confirmed by its transaction.
    v.transform((state) => (state.status === 'authorized' ? { ...state, intentId: state.intentId ?? '' } : state)),
  );

/** Milliseconds that a confirmation waits for the card's address; after that it is sent without. */
const CARDS_TIMEOUT_MS = 3_000;

/** A page that a gateway may have redirected back to. */
type Page = Pick<ShopClient, 'api'> & { address: () => { search: string } };

/** The `giftInfo` of a gift's confirmation; undefined without a gift or its texts in this tab. */
const readGiftInfo = (api: Api, transId: string): string | undefined => {
  const gift = findPendingGift(transId);
  const form = gift === null ? null : readGiftDraft(gift.titleId ?? cartDraftId);
  return gift === null || form === null ? undefined : JSON.stringify(toGiftInfo(form, new Date(getShopTime(api)), gift.giftId));
};

/**
 * Captures an authorised payment and grants its title, or the whole cart. Idempotent per
 * transaction: the payment is its own idempotency key. It sends all terms of the payment that
 * this browser has stored.
 * @throws Problem of any kind, `price_changed` where the tax differs from the authorised one. After
 * a Problem that `isOutcomeUnknown` recognises, only the session status has the result.
 */
export const confirmPurchase = async (
  { api: openApi, scoped, address }: Scoped<Page>,
  { transId, intentId }: { transId: string; intentId: string },
): Promise<Grant> => {
  const api = await openApi();
  await verifyRazorpayPayment(api, address().search);
  const startedPayment = findStartedPayment(transId);
  const { cardId = null } = startedPayment ?? {};
  const addresses = scoped(createBillingAddresses);
  // After the redirect from a bank this is a new page, which has not read the cards.
  if (cardId !== null && !addresses.has(cardId))
    await fetchCards(api, AbortSignal.timeout(CARDS_TIMEOUT_MS), addresses).catch(() => []);
  const query = {
    transactonId: transId,
    intentId,
    cardId: cardId ?? undefined,
    currency: startedPayment?.price?.currency || undefined,
    RedeemPin: startedPayment?.code || undefined,
    giftInfo: readGiftInfo(api, transId),
    ...toConfirmedTax(startedPayment?.tax),
    ...(cardId === null ? {} : addresses.get(cardId)),
  };
  const responsePromise = api.client.GET('/purchase/title/confirm', {
    params: { query },
    ...api.changeOptions(`confirm-${transId}-${intentId}`),
  });
  return readGrant(api, 'purchase/title/confirm', '', responsePromise);
};

/**
 * The state of a transaction after a possible return from the gateway's page. A server may wait for
 * the signature that Razorpay has put into the address.
 * @throws Problem of any kind, `payment_unknown` where a card may have paid another transaction
 */
export const fetchReturnedStatus = async (
  { api: openApi, address }: Page,
  transId: string,
  signal: AbortSignal,
): Promise<PaymentState> => {
  const api = await openApi();
  const state = await fetchSessionStatus(api, transId, signal);
  const isVerified = state.status === 'pending' && (await verifyRazorpayPayment(api, address().search));
  const verifiedState = isVerified ? await fetchSessionStatus(api, transId, signal) : state;
  const mayBePaid = verifiedState.status === 'pending' && mayBePaidElsewhere(transId);
  return mayBePaid ? throwProblem({ kind: 'refused', code: 'payment_unknown', message: '' }) : verifiedState;
};

/** The status of a transaction; read-only. */
export const fetchSessionStatus = (api: Api, transId: string, signal?: AbortSignal): Promise<PaymentState> =>
  readJsonResponse(
    api,
    'checkout/session/status',
    api.client.GET('/checkout/session/status', { params: { query: { transId } }, ...api.readOptions(signal) }),
    StateResponse(api.base),
  );
