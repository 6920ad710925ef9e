import type { AnyEventObject } from 'xstate';
import type { Offer } from '../../../../machines/buying/purchase/offer.ts';
import type { Outcome, PaymentOutput } from '../../../../machines/buying/payment-setup.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import { subscribedPath } from '../../../../machines/model/paths.ts';
import { problemOf } from '../../../../machines/model/problem.ts';
import type { PaymentSession } from '../../../../machines/model/buying/purchase.ts';
import type { PathModel } from '../../../../machines/path-models/path-model.ts';
import { form } from '../../../../machines/path-models/flows/purchase/offers.ts';
import type { World } from '../../stage.ts';
import { withStoreOf } from '../../store.ts';
import { comeBack, rememberBegun, titles, unknownPurchase } from './stage-helpers.ts';

const isOffer = ({ type }: AnyEventObject): boolean => /^xstate\.(done|error)\.actor\.offer$/.test(type);

/** The first offer of the tour. */
const firstOffer = ({ ahead }: World): AnyEventObject | undefined => ahead.map(({ event }) => event).find(isOffer);

/** The offer, when the tour asks for the first time. */
const offerIn = ({ ahead }: World): Offer | undefined =>
  ahead.find(({ event }) => event.type === 'xstate.done.actor.offer')?.event['output'] as Offer | undefined;

/** How the payments of the tour end. */
const outcomesIn = ({ ahead }: World): Outcome[] =>
  ahead.flatMap(({ event }) => (event.type === 'xstate.done.actor.payment' ? [(event['output'] as PaymentOutput).outcome] : []));

const isMissing = (event: AnyEventObject | undefined): boolean => {
  const problem = event?.['error'] === undefined ? null : problemOf(event['error']);
  return problem?.kind === 'refused' && problem.code === 'not_found';
};

/** A title of which the server says what the tour wants to hear first. */
const titleFor = async (world: World): Promise<string> => {
  if (isMissing(firstOffer(world))) return titles.gone;
  const offer = offerIn(world);
  if (offer === undefined) return titles.sold;
  const isPaidBefore = world.ahead[0]?.event.type === 'xstate.done.actor.payment';
  if (offer.instanceId !== null && !isPaidBefore) await (await world.customer()).buys(titles.sold);
  if (offer.transId !== null) await rememberBegun(world, !outcomesIn(world).includes('notFound'));
  return offer.title?.forSale === false ? titles.unsold : titles.sold;
};

const infoOf = () => JSON.stringify({ RecipientName: form.name, RecipientEmail: form.email });

const addToCart = async (world: World): Promise<unknown> => (await world.customer()).ask('cart/add', { titleId: titles.sold });

type Kind = { ofCart: boolean; isGift: boolean };

/** Begins the payment of a cart or of a gift outside the browser. */
const begins = async (world: World, { ofCart, isGift }: Kind): Promise<PaymentSession> => {
  const customer = await world.customer();
  if (ofCart) await addToCart(world);
  const query = { ...(ofCart ? {} : { titleId: titles.sold }), ...(isGift ? { giftInfo: infoOf() } : {}) };
  return (await (await customer.ask(ofCart ? 'checkout/cart/session' : 'payment/session', query)).json()) as PaymentSession;
};

/** The browser remembers a payment of a cart or of a gift that it has begun and not finished. */
const remember = async (world: World, transId: string, { ofCart, isGift }: Kind): Promise<void> => {
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

/** A cart or a gift, as the tour wants to find it. */
const prepareGoods = async (world: World, kind: Kind, isReturning: boolean): Promise<string | undefined> => {
  const path = `/${kind.ofCart ? 'cart' : 'title'}/${kind.isGift ? 'gift' : 'checkout'}`;
  const isKnown = !outcomesIn(world).includes('notFound');
  const transId = async (): Promise<string> => (isKnown ? (await begins(world, kind)).transId : titles.gone);
  if (isReturning) return `${path}?transId=${await transId()}`;
  const offer = offerIn(world);
  if (offer !== undefined && offer.transId !== null) await remember(world, await transId(), kind);
  else if (kind.ofCart && offer?.price != null) await addToCart(world);
  return undefined;
};

const prepareTitle = async (world: World, { titleid, transId }: Record<string, string>): Promise<string | undefined> => {
  if (transId !== undefined) return outcomesIn(world).includes('notFound') ? unknownPurchase : comeBack(world);
  return titleid === undefined ? undefined : `/title/purchase?titleid=${await titleFor(world)}`;
};

/**
 * After a subscription has begun, the shop leaves for another page: the tour keeps its own page.
 */
const stayWhenLeft = async ({ page }: World): Promise<undefined> => {
  await page.route(
    ({ pathname }) => pathname === subscribedPath,
    (request) => request.fulfill({ status: 204 }),
  );
};

const prepareOffer = (world: World, params: Record<string, string>): Promise<string | undefined> => {
  if (params['of'] === 'subscription') return stayWhenLeft(world);
  const kind = { ofCart: params['of'] === 'cart', isGift: params['as'] === 'gift' };
  if (kind.ofCart || kind.isGift) return prepareGoods(world, kind, params['transId'] !== undefined);
  return prepareTitle(world, params);
};

/** The data that must exist before the page is opened, and its address. */
export const prepares = async (world: World, { input }: PathModel): Promise<string | undefined> => {
  const { route, resume } = input as FlowInput;
  await withStoreOf(world.page, input as FlowInput);
  const address = await prepareOffer(world, route.params);
  if (resume === null) return address;
  return `/signin?return=${encodeURIComponent(address ?? route.path)}&action=${resume}`;
};
