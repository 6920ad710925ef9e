import type { AnyEventObject } from 'xstate';
import type { PaymentSession } from '../../../../machines/model/buying/purchase.ts';
import type { PurchaseState } from '../../../../machines/buying/payment-setup.ts';
import { cards } from '../../../browser/customer.ts';
import { CheckoutPage } from '../../../browser/checkout-page.ts';
import type { Port, World } from '../../stage.ts';
import type { CreditBalance } from '../../../../machines/model/buying/subscription.ts';
import type { TaxQuote } from '../../../../machines/model/buying/tax.ts';
import type { Card } from '../../../../machines/model/buying/card.ts';
import { cardsWire, json } from '../../wires.ts';

/** Demo titles: for sale, free, not for sale, and none. */
export const titles = { sold: '1001', free: '1011', unsold: '1012', gone: '9999' };

/** The purchase that a tour takes up. */
const begun = new WeakMap<World, { transId: string; url: string }>();

const beginPurchase = async (world: World): Promise<{ transId: string }> => {
  const session = await (await world.customer()).begins(titles.sold);
  begun.set(world, session);
  return session;
};

/** Begins the purchase outside the browser. @returns the address at which the browser comes back from the gateway */
export const comeBack = async (world: World): Promise<string> =>
  `/checkout/complete?transId=${(await beginPurchase(world)).transId}`;

/** Where a purchase is taken up that the server does not know. */
export const unknownPurchase = `/checkout/complete?transId=${titles.gone}`;

/** The browser remembers a purchase of the title that it has begun and not finished, and that the server may not know. */
export const rememberBegun = async (world: World, isKnown: boolean): Promise<void> => {
  const { transId } = isKnown ? await beginPurchase(world) : { transId: titles.gone };
  const { userId } = await world.customer();
  const tab = await world.context.newPage();
  await tab.goto(`${world.shop.url}/favicon.svg`);
  await tab.evaluate(([key, kept]) => localStorage.setItem(key, kept), [
    `colophon.pending.${userId}`,
    JSON.stringify([{ titleId: titles.sold, key: crypto.randomUUID(), transId }]),
  ] as const);
  await tab.close();
};

/** What the customer and the gateway do for the payment to stand as a tour wants it. */
const deeds: Partial<Record<PurchaseState['status'], (world: World) => Promise<unknown>>> = {
  owned: async ({ customer }) => (await customer()).buys(titles.sold),
  authorized: (world) => atGateway(world, [cards.good]),
  paid: async (world) => {
    await atGateway(world, [cards.good]);
    const transactonId = begun.get(world)?.transId ?? '';
    return (await world.customer()).ask('purchase/title/confirm', { transactonId });
  },
  // The gateway gives a purchase up after five cards.
  failed: (world) => atGateway(world, Array<string>(5).fill(cards.declined)),
  cancelled: (world) => atGateway(world, [null]),
};

/** Has the payment that the page has begun stand so at the server. @returns what the server says of it */
export const standsAtServer = async (world: World, status: PurchaseState['status']): Promise<PurchaseState> => {
  const { transId } = await beginPurchase(world);
  await bringAbout(world, status);
  const answer = await (await world.customer()).ask('checkout/session/status', { transId });
  return (await answer.json()) as PurchaseState;
};

const atGateway = async (world: World, answers: (string | null)[]): Promise<void> => {
  const session = begun.get(world);
  if (session === undefined) return;
  for (const card of answers) await (await world.customer()).answersGateway(session, card);
};

const done = new WeakMap<World, PurchaseState['status']>();

const bringAbout = async (world: World, status: PurchaseState['status']): Promise<void> => {
  if (done.get(world) === status) return;
  done.set(world, status);
  await deeds[status]?.(world);
};

/** The title is the customer's by now. */
const isOwnedRefusal = ({ error }: AnyEventObject): boolean => (error as { code?: string } | undefined)?.code === 'already_owned';

export const startPort: Port = {
  asks: ({ pathname }) => /\/(payment\/session|purchase\/(?:free|credits))$/.test(pathname),
  answer: (session: PaymentSession) => json(session),
  serverGives: async (event, world) => {
    if (isOwnedRefusal(event)) await bringAbout(world, 'owned');
    return isOwnedRefusal(event) || event.type.startsWith('xstate.done.');
  },
};

export const confirmPort: Port = {
  asks: ({ pathname }) => pathname.endsWith('/purchase/title/confirm'),
  answer: () => json({}),
  serverGives: ({ type }) => type.startsWith('xstate.done.'),
};

export const cardsPort: Port = {
  asks: ({ pathname }) => pathname.endsWith('/card/all'),
  answer: (kept: Card[]) => cardsWire(kept),
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
  // The page of subscribing has the path of the call.
  asks: ({ pathname }) => /\/api\/(purchase\/title|subscription\/purchase)$/.test(pathname),
  answer: (state: PurchaseState) => json(state),
};

/** Asked of the transaction where it is known, else of the library. */
export const statusPort: Port = {
  asks: ({ pathname }) => /\/(checkout\/session\/status|user\/has-title)$/.test(pathname),
  answer: (state: PurchaseState, { pathname }) =>
    json(pathname.endsWith('/has-title') ? { hasTitle: state.status === 'owned', titleId: '1001', instanceId: 'i1' } : state),
  serverGives: async ({ output }, world) => {
    if (output !== undefined) await bringAbout(world, (output as PurchaseState).status);
    return false;
  },
  says: ({ status, url }: PurchaseState, body, { pathname }) => {
    if (pathname.endsWith('/has-title')) return body.includes('"hasTitle":false') === (status === 'none');
    const hasPage = /"url":"http/.test(body);
    return body.includes(`"status":"${status}"`) && (status !== 'pending' || hasPage === (url !== null));
  },
};

/** The browser stands at the gateway's card form; then it is back on the shop's side, where its record is. */
export const visitGateway = async ({ page, shop }: World): Promise<void> => {
  await new CheckoutPage(page).isAtGateway();
  await page.goto(`${shop.url}/favicon.svg`);
};
