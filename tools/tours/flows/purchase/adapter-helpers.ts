import type { AnyEventObject } from 'xstate';
import type { PaymentSession } from '../../../../machines/model/buying/purchase.ts';
import type { PurchaseState } from '../../../../machines/buying/payment-setup.ts';
import { cards } from '../../../browser/customer.ts';
import { CheckoutPage } from '../../../browser/checkout-page.ts';
import type { Port, WalkContext } from '../../browser-adapter.ts';
import type { CreditBalance } from '../../../../machines/model/buying/subscription.ts';
import type { TaxQuote } from '../../../../machines/model/buying/tax.ts';
import type { Card } from '../../../../machines/model/buying/card.ts';
import { toCardsXml, toJsonResponse } from '../../wires.ts';

/** Ids of demo titles: for sale, free, not for sale, and an id without a title. */
export const titleIds = { forSale: '1001', free: '1011', notForSale: '1012', missing: '9999' };

/** The started purchase of each walk, to pay or to resume. */
const purchaseByWalk = new WeakMap<WalkContext, { transId: string; url: string }>();

const startPurchase = async (walk: WalkContext): Promise<{ transId: string }> => {
  const session = await (await walk.getCustomer()).startPurchase(titleIds.forSale);
  purchaseByWalk.set(walk, session);
  return session;
};

/** Starts a purchase outside the browser. @returns the path to which the gateway returns */
export const createReturnPath = async (walk: WalkContext): Promise<string> =>
  `/checkout/complete?transId=${(await startPurchase(walk)).transId}`;

/** The path to which the gateway returns, for a purchase that the server does not know. */
export const UNKNOWN_RETURN_PATH = `/checkout/complete?transId=${titleIds.missing}`;

/**
 * Stores in the browser that a purchase of the title is unfinished. If `isKnown` is false, the
 * server does not know the purchase.
 */
export const storePendingPurchase = async (walk: WalkContext, isKnown: boolean): Promise<void> => {
  const { transId } = isKnown ? await startPurchase(walk) : { transId: titleIds.missing };
  const { userId } = await walk.getCustomer();
  const tab = await walk.context.newPage();
  await tab.goto(`${walk.shop.url}/favicon.svg`);
  await tab.evaluate(([key, value]) => localStorage.setItem(key, value), [
    `colophon.pending.${userId}`,
    JSON.stringify([{ titleId: titleIds.forSale, key: crypto.randomUUID(), transId }]),
  ] as const);
  await tab.close();
};

/** Actions of the customer at the shop or the gateway that bring the payment into a status. */
const actionByStatus: Partial<Record<PurchaseState['status'], (walk: WalkContext) => Promise<unknown>>> = {
  owned: async ({ getCustomer }) => (await getCustomer()).buy(titleIds.forSale),
  authorized: (walk) => payAtGateway(walk, [cards.good]),
  paid: async (walk) => {
    await payAtGateway(walk, [cards.good]);
    const transactonId = purchaseByWalk.get(walk)?.transId ?? '';
    return (await walk.getCustomer()).request('purchase/title/confirm', { transactonId });
  },
  // The gateway fails a purchase after five declined cards.
  failed: (walk) => payAtGateway(walk, Array<string>(5).fill(cards.declined)),
  cancelled: (walk) => payAtGateway(walk, [null]),
};

/** Starts a purchase and brings it into a status. @returns the purchase's state at the server */
export const reachStatus = async (walk: WalkContext, status: PurchaseState['status']): Promise<PurchaseState> => {
  const { transId } = await startPurchase(walk);
  await causeStatus(walk, status);
  const response = await (await walk.getCustomer()).request('checkout/session/status', { transId });
  return (await response.json()) as PurchaseState;
};

/** Submits the gateway's form with each card number in turn; null cancels the payment. */
const payAtGateway = async (walk: WalkContext, cardNumbers: (string | null)[]): Promise<void> => {
  const session = purchaseByWalk.get(walk);
  if (session === undefined) return;
  for (const cardNumber of cardNumbers) await (await walk.getCustomer()).submitGatewayForm(session, cardNumber);
};

const statusByWalk = new WeakMap<WalkContext, PurchaseState['status']>();

/** Brings the walk's purchase into a status, unless it was already brought there. */
const causeStatus = async (walk: WalkContext, status: PurchaseState['status']): Promise<void> => {
  if (statusByWalk.get(walk) === status) return;
  statusByWalk.set(walk, status);
  await actionByStatus[status]?.(walk);
};

/** Whether a payment is refused because the customer already owns the title. */
const isOwnedRefusal = ({ error }: AnyEventObject): boolean => (error as { code?: string } | undefined)?.code === 'already_owned';

export const startPort: Port = {
  matches: ({ pathname }) => /\/(payment\/session|purchase\/(?:free|credits))$/.test(pathname),
  toResponse: (session: PaymentSession) => toJsonResponse(session),
  serverWillAnswer: async (event, walk) => {
    if (isOwnedRefusal(event)) await causeStatus(walk, 'owned');
    return isOwnedRefusal(event) || event.type.startsWith('xstate.done.');
  },
};

export const confirmPort: Port = {
  matches: ({ pathname }) => pathname.endsWith('/purchase/title/confirm'),
  toResponse: () => toJsonResponse({}),
  serverWillAnswer: ({ type }) => type.startsWith('xstate.done.'),
};

export const cardsPort: Port = {
  matches: ({ pathname }) => pathname.endsWith('/card/all'),
  toResponse: (savedCards: Card[]) => toCardsXml(savedCards),
  isEquivalent: (savedCards: Card[], body) => savedCards.length === 0 && !body.includes('<Card>'),
};

export const balancePort: Port = {
  matches: ({ pathname }) => pathname.endsWith('/credits/balance'),
  toResponse: ({ balance, currency, accepted }: CreditBalance) =>
    toJsonResponse({ CreditBalance: balance, CreditCurrency: currency, EnableBuyWithCredits: accepted }),
};

export const taxPort: Port = {
  matches: ({ pathname }) => pathname.endsWith('/api/tax'),
  toResponse: (quote: TaxQuote) => toJsonResponse({ currency: 'USD', ...quote }),
};

export const payByCardPort: Port = {
  // With `/api`: without it, the path of the call is also that of the subscription page.
  matches: ({ pathname }) => /\/api\/(purchase\/title|subscription\/purchase)$/.test(pathname),
  toResponse: (state: PurchaseState) => toJsonResponse(state),
};

/**
 * A payment's status: the app requests the transaction if it is known, else whether the title is in
 * the library.
 */
export const statusPort: Port = {
  matches: ({ pathname }) => /\/(checkout\/session\/status|user\/has-title)$/.test(pathname),
  toResponse: (state: PurchaseState, { pathname }) =>
    toJsonResponse(
      pathname.endsWith('/has-title') ? { hasTitle: state.status === 'owned', titleId: '1001', instanceId: 'i1' } : state,
    ),
  serverWillAnswer: async ({ output }, walk) => {
    if (output !== undefined) await causeStatus(walk, (output as PurchaseState).status);
    return false;
  },
  isEquivalent: ({ status, url }: PurchaseState, body, { pathname }) => {
    if (pathname.endsWith('/has-title')) return body.includes('"hasTitle":false') === (status === 'none');
    const hasGatewayUrl = /"url":"http/.test(body);
    return body.includes(`"status":"${status}"`) && (status !== 'pending' || hasGatewayUrl === (url !== null));
  },
};

/**
 * Waits for the gateway's page; then opens a file of the shop, whose storage contains the trace.
 */
export const visitGateway = async ({ page, shop }: WalkContext): Promise<void> => {
  await new CheckoutPage(page).waitForGateway();
  await page.goto(`${shop.url}/favicon.svg`);
};
