import type { AnyEventObject } from 'xstate';
import type { PaymentSession } from '../../../../machines/model/buying/purchase.ts';
import type { PurchaseState } from '../../../../machines/buying/payment-setup.ts';
import { cards } from '../../../browser/customer.ts';
import { CheckoutPage } from '../../../browser/checkout-page.ts';
import type { Port, WalkContext } from '../../browser-adapter.ts';
import type { CreditBalance } from '../../../../machines/model/buying/subscription.ts';
import type { TaxQuote } from '../../../../machines/model/buying/tax.ts';
import type { Card } from '../../../../machines/model/buying/card.ts';
import { toCardsXml, json } from '../../wires.ts';

/** Demo titles: for sale, free, not for sale, and a missing one. */
export const titles = { sold: '1001', free: '1011', unsold: '1012', gone: '9999' };

/** The purchase that a walk resumes. */
const startedPayments = new WeakMap<WalkContext, { transId: string; url: string }>();

const startPurchase = async (world: WalkContext): Promise<{ transId: string }> => {
  const session = await (await world.customer()).startPurchase(titles.sold);
  startedPayments.set(world, session);
  return session;
};

/** Starts the purchase outside the browser. @returns the return address from the gateway */
export const getReturnPath = async (world: WalkContext): Promise<string> =>
  `/checkout/complete?transId=${(await startPurchase(world)).transId}`;

/** The address that resumes a purchase which the server does not know. */
export const UNKNOWN_RETURN_PATH = `/checkout/complete?transId=${titles.gone}`;

/** Stores in the browser that a purchase of the title is unfinished; the server may not know it. */
export const rememberPending = async (world: WalkContext, isKnown: boolean): Promise<void> => {
  const { transId } = isKnown ? await startPurchase(world) : { transId: titles.gone };
  const { userId } = await world.customer();
  const tab = await world.context.newPage();
  await tab.goto(`${world.shop.url}/favicon.svg`);
  await tab.evaluate(([key, kept]) => localStorage.setItem(key, kept), [
    `colophon.pending.${userId}`,
    JSON.stringify([{ titleId: titles.sold, key: crypto.randomUUID(), transId }]),
  ] as const);
  await tab.close();
};

/** Actions of the customer and the gateway that put the payment into a status. */
const actionByStatus: Partial<Record<PurchaseState['status'], (world: WalkContext) => Promise<unknown>>> = {
  owned: async ({ customer }) => (await customer()).buy(titles.sold),
  authorized: (world) => payAtGateway(world, [cards.good]),
  paid: async (world) => {
    await payAtGateway(world, [cards.good]);
    const transactonId = startedPayments.get(world)?.transId ?? '';
    return (await world.customer()).request('purchase/title/confirm', { transactonId });
  },
  // The gateway fails a purchase after five declined cards.
  failed: (world) => payAtGateway(world, Array<string>(5).fill(cards.declined)),
  cancelled: (world) => payAtGateway(world, [null]),
};

/** Puts the page's payment into a status at the server. @returns the server's response about it */
export const reachStatus = async (world: WalkContext, status: PurchaseState['status']): Promise<PurchaseState> => {
  const { transId } = await startPurchase(world);
  await causeStatus(world, status);
  const answer = await (await world.customer()).request('checkout/session/status', { transId });
  return (await answer.json()) as PurchaseState;
};

const payAtGateway = async (world: WalkContext, answers: (string | null)[]): Promise<void> => {
  const session = startedPayments.get(world);
  if (session === undefined) return;
  for (const card of answers) await (await world.customer()).submitGatewayForm(session, card);
};

const reachedStatus = new WeakMap<WalkContext, PurchaseState['status']>();

const causeStatus = async (world: WalkContext, status: PurchaseState['status']): Promise<void> => {
  if (reachedStatus.get(world) === status) return;
  reachedStatus.set(world, status);
  await actionByStatus[status]?.(world);
};

/** Whether the refusal says that the customer owns the title by now. */
const isOwnedRefusal = ({ error }: AnyEventObject): boolean => (error as { code?: string } | undefined)?.code === 'already_owned';

export const startPort: Port = {
  asks: ({ pathname }) => /\/(payment\/session|purchase\/(?:free|credits))$/.test(pathname),
  answer: (session: PaymentSession) => json(session),
  serverWillAnswer: async (event, world) => {
    if (isOwnedRefusal(event)) await causeStatus(world, 'owned');
    return isOwnedRefusal(event) || event.type.startsWith('xstate.done.');
  },
};

export const confirmPort: Port = {
  asks: ({ pathname }) => pathname.endsWith('/purchase/title/confirm'),
  answer: () => json({}),
  serverWillAnswer: ({ type }) => type.startsWith('xstate.done.'),
};

export const cardsPort: Port = {
  asks: ({ pathname }) => pathname.endsWith('/card/all'),
  answer: (kept: Card[]) => toCardsXml(kept),
  says: (kept: Card[], body) => kept.length === 0 && !body.includes('<Card>'),
};

export const balancePort: Port = {
  asks: ({ pathname }) => pathname.endsWith('/credits/balance'),
  answer: ({ balance, currency, accepted }: CreditBalance) =>
    json({ CreditBalance: balance, CreditCurrency: currency, EnableBuyWithCredits: accepted }),
};

export const taxPort: Port = {
  asks: ({ pathname }) => pathname.endsWith('/api/tax'),
  answer: (quote: TaxQuote) => json({ currency: 'USD', ...quote }),
};

export const payByCardPort: Port = {
  // With /api, since the subscription page has the same path as the call.
  asks: ({ pathname }) => /\/api\/(purchase\/title|subscription\/purchase)$/.test(pathname),
  answer: (state: PurchaseState) => json(state),
};

/** Requests the transaction if it is known, else the library. */
export const statusPort: Port = {
  asks: ({ pathname }) => /\/(checkout\/session\/status|user\/has-title)$/.test(pathname),
  answer: (state: PurchaseState, { pathname }) =>
    json(pathname.endsWith('/has-title') ? { hasTitle: state.status === 'owned', titleId: '1001', instanceId: 'i1' } : state),
  serverWillAnswer: async ({ output }, world) => {
    if (output !== undefined) await causeStatus(world, (output as PurchaseState).status);
    return false;
  },
  says: ({ status, url }: PurchaseState, body, { pathname }) => {
    if (pathname.endsWith('/has-title')) return body.includes('"hasTitle":false') === (status === 'none');
    const hasPage = /"url":"http/.test(body);
    return body.includes(`"status":"${status}"`) && (status !== 'pending' || hasPage === (url !== null));
  },
};

/** Opens the gateway's card form; then returns to a page of the shop, where the record is. */
export const visitGateway = async ({ page, shop }: WalkContext): Promise<void> => {
  await new CheckoutPage(page).waitForGateway();
  await page.goto(`${shop.url}/favicon.svg`);
};
