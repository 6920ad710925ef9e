import * as v from 'valibot';
import { PaymentSession, PaymentState } from '../../../machines/model/buying/purchase.ts';
import { type Base, webAddress } from '../wire/address.ts';
import type { Api } from '../wire/client.ts';
import { granted, type Grant } from '../catalogue/free-title.ts';
import { allCards } from './cards.ts';
import { jsonAnswer } from '../wire/json.ts';
import { billingAddresses } from './billing-addresses.ts';
import type { Own } from '../world/own.ts';
import { raise } from '../wire/problem.ts';
import { verifyPayment } from './razorpay.ts';
import type { ShopClient } from '../wire/shop-client.ts';
import { begunPayment, mayBePaidElsewhere } from './begun-payments.ts';
import { giftInfoOf } from './gift-info.ts';
import { draftOfCart, giftDraft } from './gift-draft.ts';
import { pendingGift } from './pending-payments.ts';
import { shopNow } from '../wire/shop-time.ts';
import { confirmedTax } from './tax.ts';

const addressIn = (base: Base) =>
  v.pipe(
    v.string(),
    v.transform((text) => webAddress(text, base)),
  );

/**
 * The answer of a call that begins a payment; `base` is what relative addresses are relative to.
 */
export const SessionAnswer = (base: Base) =>
  v.object({
    ...PaymentSession.entries,
    transId: v.pipe(v.string(), v.nonEmpty()),
    provider: v.optional(v.string(), ''),
    url: v.pipe(addressIn(base), v.nonEmpty('no http(s) address')),
  });

type Status = PaymentState['status'];

/** States in the words of other servers and of payment services, in lower case. */
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
  // A payment that was captured is confirmed all the same, since that grants the title.
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
export const StateAnswer = (base: Base) =>
  v.pipe(
    v.object({
      ...PaymentState.entries,
      status: Status,
      transId: v.pipe(v.string(), v.nonEmpty()),
      titleId: v.optional(v.string(), ''),
      intentId: v.nullish(v.string(), null),
      url: v.nullish(
        v.pipe(
          addressIn(base),
          v.transform((text) => text || null),
        ),
        null,
      ),
      reason: v.nullish(v.string(), null),
    }),
    // A payment without an intent is confirmed by its transaction.
    v.transform((state) => (state.status === 'authorized' ? { ...state, intentId: state.intentId ?? '' } : state)),
  );

/** Milliseconds that a confirmation waits for the address of the card; it goes without after. */
const CARDS_MS = 3_000;

/** A page to which a gateway may have led back. */
type Page = Pick<ShopClient, 'api'> & { address: () => { search: string } };

/** Of a gift whose words this tab still has. */
const giftInfo = (api: Api, transId: string): string | undefined => {
  const gift = pendingGift(transId);
  const form = gift === null ? null : giftDraft(gift.titleId ?? draftOfCart);
  return gift === null || form === null ? undefined : JSON.stringify(giftInfoOf(form, new Date(shopNow(api)), gift.giftId));
};

/**
 * Takes an authorised payment and grants its title, or all of a cart, once for a transaction
 * however often it is asked: the payment is its own idempotency key. All that this browser knows of
 * the payment goes along.
 * @throws Problem of any kind, `price_changed` where the tax is not the one that was authorised;
 * `mayHaveHappened` tells the ones after which only the session status knows.
 */
export const confirmPurchase = async (
  { api: open, own, address }: Own<Page>,
  { transId, intentId }: { transId: string; intentId: string },
): Promise<Grant> => {
  const api = await open();
  await verifyPayment(api, address().search);
  const begun = begunPayment(transId);
  const { cardId = null } = begun ?? {};
  const addresses = own(billingAddresses);
  // After the page of a bank this is a new page, which has not read the cards.
  if (cardId !== null && !addresses.has(cardId)) await allCards(api, AbortSignal.timeout(CARDS_MS), addresses).catch(() => []);
  const query = {
    transactonId: transId,
    intentId,
    cardId: cardId ?? undefined,
    currency: begun?.price?.currency || undefined,
    RedeemPin: begun?.code || undefined,
    giftInfo: giftInfo(api, transId),
    ...confirmedTax(begun?.tax),
    ...(cardId === null ? {} : addresses.get(cardId)),
  };
  const sending = api.client.GET('/purchase/title/confirm', {
    params: { query },
    ...api.changing(`confirm-${transId}-${intentId}`),
  });
  return granted(api, 'purchase/title/confirm', '', sending);
};

/**
 * The state of a transaction with which the customer may have returned from the gateway's page. A
 * server may wait for the signature that Razorpay has put into the address.
 * @throws Problem of any kind, `payment_unknown` where a card may have paid another transaction
 */
export const returnedStatus = async (
  { api: open, address }: Page,
  transId: string,
  signal: AbortSignal,
): Promise<PaymentState> => {
  const api = await open();
  const state = await sessionStatus(api, transId, signal);
  const isVerified = state.status === 'pending' && (await verifyPayment(api, address().search));
  const known = isVerified ? await sessionStatus(api, transId, signal) : state;
  const isOpen = known.status === 'pending' && mayBePaidElsewhere(transId);
  return isOpen ? raise({ kind: 'refused', code: 'payment_unknown', message: '' }) : known;
};

/** The status of a transaction; changes nothing. */
export const sessionStatus = (api: Api, transId: string, signal?: AbortSignal): Promise<PaymentState> =>
  jsonAnswer(
    api,
    'checkout/session/status',
    api.client.GET('/checkout/session/status', { params: { query: { transId } }, ...api.reading(signal) }),
    StateAnswer(api.base),
  );
