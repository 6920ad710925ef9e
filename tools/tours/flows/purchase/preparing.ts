import type { AnyEventObject } from 'xstate';
import type { Offer } from '../../../../machines/buying/purchase/offer.ts';
import type { PaymentOutcome, PaymentOutput } from '../../../../machines/buying/payment-setup.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import { subscribedPath } from '../../../../machines/model/purchase-paths.ts';
import { toProblem } from '../../../../machines/model/problem.ts';
import type { PaymentSession } from '../../../../machines/model/buying/purchase.ts';
import type { PathModel } from '../../../../machines/path-models/path-model.ts';
import { form } from '../../../../machines/path-models/flows/purchase/offers.ts';
import type { WalkContext } from '../../browser-adapter.ts';
import { stubStore } from '../../store.ts';
import { createReturnPath, storePendingPurchase, titleIds, UNKNOWN_RETURN_PATH } from './adapter-helpers.ts';

const isOfferSettlement = ({ type }: AnyEventObject): boolean => /^xstate\.(done|error)\.actor\.offer$/.test(type);

/** Returns the first event of the walk that settles the offer, or undefined. */
const getOfferSettlement = ({ remainingSteps }: WalkContext): AnyEventObject | undefined =>
  remainingSteps.map(({ event }) => event).find(isOfferSettlement);

/** Returns the walk's first offer, or undefined. */
const getFirstOffer = ({ remainingSteps }: WalkContext): Offer | undefined =>
  remainingSteps.find(({ event }) => event.type === 'xstate.done.actor.offer')?.event['output'] as Offer | undefined;

/** Returns the outcomes of the walk's payments, in order. */
const getOutcomes = ({ remainingSteps }: WalkContext): PaymentOutcome[] =>
  remainingSteps.flatMap(({ event }) =>
    event.type === 'xstate.done.actor.payment' ? [(event['output'] as PaymentOutput).outcome] : [],
  );

const isMissing = (event: AnyEventObject | undefined): boolean => {
  const problem = event?.['error'] === undefined ? null : toProblem(event['error']);
  return problem?.kind === 'refused' && problem.code === 'not_found';
};

/**
 * Prepares the customer for the walk's first offer.
 * @returns the id of a demo title with that offer
 */
const chooseTitle = async (walk: WalkContext): Promise<string> => {
  if (isMissing(getOfferSettlement(walk))) return titleIds.missing;
  const offer = getFirstOffer(walk);
  if (offer === undefined) return titleIds.forSale;
  const startsWithPayment = walk.remainingSteps[0]?.event.type === 'xstate.done.actor.payment';
  if (offer.instanceId !== null && !startsWithPayment) await (await walk.getCustomer()).buy(titleIds.forSale);
  if (offer.transId !== null) await storePendingPurchase(walk, !getOutcomes(walk).includes('notFound'));
  return offer.title?.forSale === false ? titleIds.notForSale : titleIds.forSale;
};

const renderGiftInfo = () => JSON.stringify({ RecipientName: form.name, RecipientEmail: form.email });

const addToCart = async (walk: WalkContext): Promise<unknown> =>
  (await walk.getCustomer()).request('cart/add', { titleId: titleIds.forSale });

type PurchaseKind = { ofCart: boolean; isGift: boolean };

/** Starts the payment of a cart or of a gift outside the browser. */
const startPurchase = async (walk: WalkContext, { ofCart, isGift }: PurchaseKind): Promise<PaymentSession> => {
  const customer = await walk.getCustomer();
  if (ofCart) await addToCart(walk);
  const query = { ...(ofCart ? {} : { titleId: titleIds.forSale }), ...(isGift ? { giftInfo: renderGiftInfo() } : {}) };
  return (await (await customer.request(ofCart ? 'checkout/cart/session' : 'payment/session', query)).json()) as PaymentSession;
};

/** Stores in the browser that the payment of a cart or of a gift is unfinished. */
const storePendingPayment = async (walk: WalkContext, transId: string, { ofCart, isGift }: PurchaseKind): Promise<void> => {
  const { userId } = await walk.getCustomer();
  const tab = await walk.context.newPage();
  await tab.goto(`${walk.shop.url}/favicon.svg`);
  const pendingItem = ofCart ? `cart ${titleIds.forSale} 9.99 USD` : titleIds.forSale;
  const pending = { titleId: isGift ? `gift ${pendingItem}` : pendingItem, key: crypto.randomUUID(), transId };
  await tab.evaluate(([key, value]) => localStorage.setItem(key, value), [
    `colophon.pending.${userId}`,
    JSON.stringify([pending]),
  ] as const);
  await tab.close();
};

/**
 * Prepares a cart or a gift.
 * @returns its path if the walk returns from the gateway, else undefined
 */
const prepareCartOrGift = async (
  walk: WalkContext,
  kind: PurchaseKind,
  returnsFromGateway: boolean,
): Promise<string | undefined> => {
  const path = `/${kind.ofCart ? 'cart' : 'title'}/${kind.isGift ? 'gift' : 'checkout'}`;
  const isKnown = !getOutcomes(walk).includes('notFound');
  const getTransactionId = async (): Promise<string> => (isKnown ? (await startPurchase(walk, kind)).transId : titleIds.missing);
  if (returnsFromGateway) return `${path}?transId=${await getTransactionId()}`;
  const offer = getFirstOffer(walk);
  if (offer !== undefined && offer.transId !== null) await storePendingPayment(walk, await getTransactionId(), kind);
  else if (kind.ofCart && offer?.price != null) await addToCart(walk);
  return undefined;
};

const prepareTitle = async (walk: WalkContext, { titleid, transId }: Record<string, string>): Promise<string | undefined> => {
  if (transId !== undefined) return getOutcomes(walk).includes('notFound') ? UNKNOWN_RETURN_PATH : createReturnPath(walk);
  return titleid === undefined ? undefined : `/title/purchase?titleid=${await chooseTitle(walk)}`;
};

/**
 * Responds with 204 No Content to the page that follows the start of a subscription, so that the
 * current page stays.
 */
const stubSubscribedPage = async ({ page }: WalkContext): Promise<undefined> => {
  await page.route(
    ({ pathname }) => pathname === subscribedPath,
    (route) => route.fulfill({ status: 204 }),
  );
};

const prepareOffer = (walk: WalkContext, params: Record<string, string>): Promise<string | undefined> => {
  if (params['of'] === 'subscription') return stubSubscribedPage(walk);
  const kind = { ofCart: params['of'] === 'cart', isGift: params['as'] === 'gift' };
  if (kind.ofCart || kind.isGift) return prepareCartOrGift(walk, kind, params['transId'] !== undefined);
  return prepareTitle(walk, params);
};

/**
 * Creates the data that must exist before the page is opened.
 * @returns the path to open, or undefined for the model's own
 */
export const prepare = async (walk: WalkContext, { input }: PathModel): Promise<string | undefined> => {
  const { route, resume } = input as FlowInput;
  await stubStore(walk.page, input as FlowInput);
  const path = await prepareOffer(walk, route.params);
  if (resume === null) return path;
  return `/signin?return=${encodeURIComponent(path ?? route.path)}&action=${resume}`;
};
