import type { AnyEventObject } from 'xstate';
import type { Offer } from '../../../../machines/buying/purchase/offer.ts';
import type { PaymentOutcome, PaymentOutput } from '../../../../machines/buying/payment-setup.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import { subscribedPath } from '../../../../machines/model/paths.ts';
import { toProblem } from '../../../../machines/model/problem.ts';
import type { PaymentSession } from '../../../../machines/model/buying/purchase.ts';
import type { PathModel } from '../../../../machines/path-models/path-model.ts';
import { form } from '../../../../machines/path-models/flows/purchase/offers.ts';
import type { WalkContext } from '../../browser-adapter.ts';
import { stubStore } from '../../store.ts';
import { getReturnPath, rememberPending, titles, UNKNOWN_RETURN_PATH } from './adapter-helpers.ts';

const isOffer = ({ type }: AnyEventObject): boolean => /^xstate\.(done|error)\.actor\.offer$/.test(type);

/** The first offer of the walk. */
const getFirstOffer = ({ ahead }: WalkContext): AnyEventObject | undefined => ahead.map(({ event }) => event).find(isOffer);

/** The first offer that the walk requests. */
const getOffer = ({ ahead }: WalkContext): Offer | undefined =>
  ahead.find(({ event }) => event.type === 'xstate.done.actor.offer')?.event['output'] as Offer | undefined;

/** The outcomes of the walk's payments. */
const getOutcomes = ({ ahead }: WalkContext): PaymentOutcome[] =>
  ahead.flatMap(({ event }) => (event.type === 'xstate.done.actor.payment' ? [(event['output'] as PaymentOutput).outcome] : []));

const isMissing = (event: AnyEventObject | undefined): boolean => {
  const problem = event?.['error'] === undefined ? null : toProblem(event['error']);
  return problem?.kind === 'refused' && problem.code === 'not_found';
};

/** A demo title for which the server gives the first answer of the walk. */
const chooseTitle = async (world: WalkContext): Promise<string> => {
  if (isMissing(getFirstOffer(world))) return titles.gone;
  const offer = getOffer(world);
  if (offer === undefined) return titles.sold;
  const isPaidBefore = world.ahead[0]?.event.type === 'xstate.done.actor.payment';
  if (offer.instanceId !== null && !isPaidBefore) await (await world.customer()).buy(titles.sold);
  if (offer.transId !== null) await rememberPending(world, !getOutcomes(world).includes('notFound'));
  return offer.title?.forSale === false ? titles.unsold : titles.sold;
};

const getGiftInfo = () => JSON.stringify({ RecipientName: form.name, RecipientEmail: form.email });

const addToCart = async (world: WalkContext): Promise<unknown> =>
  (await world.customer()).request('cart/add', { titleId: titles.sold });

type PurchaseKind = { ofCart: boolean; isGift: boolean };

/** Starts the payment of a cart or of a gift outside the browser. */
const startPurchase = async (world: WalkContext, { ofCart, isGift }: PurchaseKind): Promise<PaymentSession> => {
  const customer = await world.customer();
  if (ofCart) await addToCart(world);
  const query = { ...(ofCart ? {} : { titleId: titles.sold }), ...(isGift ? { giftInfo: getGiftInfo() } : {}) };
  return (await (await customer.request(ofCart ? 'checkout/cart/session' : 'payment/session', query)).json()) as PaymentSession;
};

/** Stores in the browser that a payment of a cart or of a gift is unfinished. */
const storePendingPayment = async (world: WalkContext, transId: string, { ofCart, isGift }: PurchaseKind): Promise<void> => {
  const { userId } = await world.customer();
  const tab = await world.context.newPage();
  await tab.goto(`${world.shop.url}/favicon.svg`);
  const goods = ofCart ? `cart ${titles.sold} 9.99 USD` : titles.sold;
  const pending = { titleId: isGift ? `gift ${goods}` : goods, key: crypto.randomUUID(), transId };
  await tab.evaluate(([key, kept]) => localStorage.setItem(key, kept), [
    `colophon.pending.${userId}`,
    JSON.stringify([pending]),
  ] as const);
  await tab.close();
};

/** Prepares a cart or a gift for the walk. */
const prepareGoods = async (world: WalkContext, kind: PurchaseKind, isReturning: boolean): Promise<string | undefined> => {
  const path = `/${kind.ofCart ? 'cart' : 'title'}/${kind.isGift ? 'gift' : 'checkout'}`;
  const isKnown = !getOutcomes(world).includes('notFound');
  const transId = async (): Promise<string> => (isKnown ? (await startPurchase(world, kind)).transId : titles.gone);
  if (isReturning) return `${path}?transId=${await transId()}`;
  const offer = getOffer(world);
  if (offer !== undefined && offer.transId !== null) await storePendingPayment(world, await transId(), kind);
  else if (kind.ofCart && offer?.price != null) await addToCart(world);
  return undefined;
};

const prepareTitle = async (world: WalkContext, { titleid, transId }: Record<string, string>): Promise<string | undefined> => {
  if (transId !== undefined) return getOutcomes(world).includes('notFound') ? UNKNOWN_RETURN_PATH : getReturnPath(world);
  return titleid === undefined ? undefined : `/title/purchase?titleid=${await chooseTitle(world)}`;
};

/** Keeps the page when the shop leaves for another one after a subscription has started. */
const stayWhenLeft = async ({ page }: WalkContext): Promise<undefined> => {
  await page.route(
    ({ pathname }) => pathname === subscribedPath,
    (request) => request.fulfill({ status: 204 }),
  );
};

const prepareOffer = (world: WalkContext, params: Record<string, string>): Promise<string | undefined> => {
  if (params['of'] === 'subscription') return stayWhenLeft(world);
  const kind = { ofCart: params['of'] === 'cart', isGift: params['as'] === 'gift' };
  if (kind.ofCart || kind.isGift) return prepareGoods(world, kind, params['transId'] !== undefined);
  return prepareTitle(world, params);
};

/** The data that must exist before the page is opened, and its address. */
export const prepares = async (world: WalkContext, { input }: PathModel): Promise<string | undefined> => {
  const { route, resume } = input as FlowInput;
  await stubStore(world.page, input as FlowInput);
  const address = await prepareOffer(world, route.params);
  if (resume === null) return address;
  return `/signin?return=${encodeURIComponent(address ?? route.path)}&action=${resume}`;
};
