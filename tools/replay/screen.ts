import type { AnyMachineSnapshot, AnyStateNode, Snapshot } from 'xstate';
import type { Route } from '../../machines/flows/route.ts';
import type { Player } from '../../machines/trace/player.ts';
import type { Price } from '../../machines/model/catalogue/title.ts';
import { findRouteName } from '../../machines/flows/routes.ts';
import { resolveDescription, descriptionByMachine, getOwnProperty } from './descriptions.ts';
import { formatPrice } from './text.ts';

type Actors = Readonly<Record<string, Snapshot<unknown>>>;

/** The snapshot of an actor that is a machine; null for effects and missing actors. */
export const getMachineSnapshot = (actors: Actors, name: string): AnyMachineSnapshot | null => {
  const snapshot = getOwnProperty(actors, name);
  // A damaged checkpoint may contain any value.
  return typeof snapshot === 'object' && snapshot !== null && 'machine' in snapshot ? (snapshot as AnyMachineSnapshot) : null;
};

/** The newest running machine whose actor's name matches; null without a match. */
export const findRunning = (actors: Actors, name: RegExp): { name: string; snapshot: AnyMachineSnapshot } | null => {
  for (const each of Object.keys(actors).toReversed()) {
    const snapshot = name.test(each) ? getMachineSnapshot(actors, each) : null;
    if (snapshot?.status === 'active') return { name: each, snapshot };
  }
  return null;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A machine's context; in a damaged checkpoint, it and its fields may be any value. */
export const getContext = (snapshot: AnyMachineSnapshot | null | undefined): Record<string, unknown> =>
  isObject(snapshot?.context) ? snapshot.context : {};

/** An object in a machine's context, by its key; null if the value is not an object. */
export const getObject = (snapshot: AnyMachineSnapshot | null | undefined, key: string): Record<string, unknown> | null => {
  const value = getContext(snapshot)[key];
  return isObject(value) ? value : null;
};

export const flowNamePattern = /^root\/screen(~\d+)?\/flow(~\d+)?$/;

const isPrice = (value: unknown): value is Price =>
  isObject(value) && typeof value['amount'] === 'number' && typeof value['currency'] === 'string';

const getPrice = (snapshot: AnyMachineSnapshot): Price | null => {
  const { price, receipt, title, plan, held, subscription } = getContext(snapshot);
  const titlePrice = isObject(title) && Array.isArray(title['prices']) ? (title['prices'][0] as unknown) : null;
  const [planPrice, subscriptionPrice] = [plan, subscription ?? held].map((each) => (isObject(each) ? each['price'] : null));
  return [price, receipt, titlePrice, planPrice, subscriptionPrice].find(isPrice) ?? null;
};

type ScreenPart = { id: string; text: string };

/** The amount to pay, including tax if it is added. */
const getAmountDue = (snapshot: AnyMachineSnapshot): Price | null => {
  const price = getPrice(snapshot);
  const withTax = getObject(snapshot, 'tax')?.['priceWithTax'];
  return price !== null && typeof withTax === 'number' ? { ...price, amount: withTax } : price;
};

/** Replaces the price placeholders of a text; unchanged without a price. */
export const fillPrice = (text: string, price: Price | null): string =>
  price === null ? text : text.replace(/\{(?:price|amount|total)\}/g, () => formatPrice(price));

const getParts = (snapshot: AnyMachineSnapshot): ScreenPart[] =>
  (snapshot._nodes as AnyStateNode[])
    .filter(({ type }) => type === 'atomic' || type === 'final')
    .toSorted((one, other) => one.order - other.order)
    .map(({ id }) => {
      const text = resolveDescription(getOwnProperty(descriptionByMachine.get(snapshot.machine.id)?.states, id), snapshot);
      return { id, text: text === undefined ? id : fillPrice(text, getAmountDue(snapshot)) };
    });

type ActorView = { actor: string; snapshot: AnyMachineSnapshot; parts: ScreenPart[] };

/** A running child machine, by its parent and id; null if it is not running. */
const findChild = (actors: Actors, parent: string, id: string): { name: string; snapshot: AnyMachineSnapshot } | null => {
  for (const name of Object.keys(actors).toReversed()) {
    if (name.slice(0, name.lastIndexOf('/')) !== parent) continue;
    const snapshot = getMachineSnapshot(actors, name);
    if (snapshot?.status === 'active' && snapshot.machine.id === id) return { name, snapshot };
  }
  return null;
};

/** The machine of the screen that the customer sees, not that of the frame. */
const findActorView = (actors: Actors): ActorView | null => {
  const createView = (actor: string, snapshot: AnyMachineSnapshot): ActorView => {
    const parts = getParts(snapshot);
    const childMachineId = parts
      .map(({ id }) => getOwnProperty(descriptionByMachine.get(snapshot.machine.id)?.inner, id))
      .find((each) => each !== undefined);
    const child = childMachineId === undefined ? null : findChild(actors, actor, childMachineId);
    return child ? createView(child.name, child.snapshot) : { actor, snapshot, parts };
  };
  const app = findRunning(actors, /^root$/);
  if (!app) return null;
  const boot = app.snapshot.value === 'opening' ? findRunning(actors, /^root\/boot(~\d+)?$/) : null;
  if (boot) return createView(boot.name, boot.snapshot);
  const screen = findRunning(actors, /^root\/screen(~\d+)?$/);
  const flow = findRunning(actors, flowNamePattern);
  // While the next flow is loaded, the previous one remains on the screen.
  if (flow) return createView(flow.name, flow.snapshot);
  return screen ? createView(screen.name, screen.snapshot) : createView('root', app.snapshot);
};

/**
 * The customer's screen, one sentence per part, as described by the screen's own machine, without
 * the frame.
 */
export const getShownTexts = (actors: Actors): string[] => findActorView(actors)?.parts.map(({ text }) => text) ?? [];

/** The customer's screen in a few words. */
export type Screen = {
  text: string;
  /** The full description. */
  words: string;
  /** Whether the screen is a wait that ends automatically. */
  waits: boolean;
  /** The title shown, if any, and its price. */
  title: string | null;
  price: Price | null;
  /** The amount on the Pay button. */
  toPay: Price | null;
};

export const getName = (value: unknown): string | null =>
  isObject(value) && typeof value['name'] === 'string' ? value['name'] : null;

/** The title or plan that a code grants: the chosen one, or the only one. */
export const getOfferedName = (offer: unknown, chosen: unknown): string | null => {
  if (!isObject(offer)) return null;
  const titles: unknown[] = Array.isArray(offer['titles']) ? offer['titles'] : [];
  const title = titles.find((each) => isObject(each) && each['id'] === chosen) ?? titles[0];
  return getName(title) ?? getName(offer['plan']);
};

const getList = (value: unknown, key: string): unknown[] => {
  const list = isObject(value) ? value[key] : null;
  return Array.isArray(list) ? list : [];
};

/** Several titles, joined for one pair of quotes that the caller adds. */
const joinNames = (titles: readonly unknown[]): string | null =>
  titles.length === 0 ? null : titles.map((title) => getName(title) ?? 'a title').join('” and “');

/** The titles in a cart's payment. */
const getLineNames = (quote: unknown): string | null =>
  joinNames(
    getList(quote, 'lines').flatMap((line) =>
      isObject(line) && (line['state'] === 'payable' || line['state'] === 'reward') ? [line['title']] : [],
    ),
  );

/**
 * The title in a machine's context: of a title page, a purchase, a receipt or an open title, or the
 * plan of a subscription.
 */
const getTitle = (snapshot: AnyMachineSnapshot): string | null => {
  const { title, opened, receipt, plan, held, subscription, cart } = getContext(snapshot);
  const receiptName = joinNames(getList(receipt, 'titles')) ?? getName(receipt);
  const titleName = getName(title) ?? receiptName ?? getName(isObject(opened) ? opened['publication'] : null);
  return titleName ?? getName(plan) ?? getName(subscription ?? held) ?? getLineNames(cart);
};

/** Screens whose description contains no heading. */
const screenNames: Readonly<Record<string, string>> = {
  'landing.shown': 'the landing page',
  'account.shown': '“My Profile”',
  'account.empty': '“My Profile”',
  'viewer.reading': 'the open book',
  'book.reading.page.open': 'the open book',
  'tracks.attached.playing': 'the player, playing',
  'tracks.attached.paused': 'the player, silent',
  'interactive.running.open': 'the interactive title',
  'payment.unreachable': '“The shop can’t be reached”, “You haven’t been charged.”',
  'screen.fetching': 'a wait',
  'screen.redirecting': 'a wait',
};

/** The start of a description: the heading, its substitute, or the first clause. */
const findHeading = (text: string): string | null => {
  const heading = /(?:heading |^A wait[^“]*|^)“([^”]+)”/.exec(text)?.[1];
  return heading === undefined ? null : `“${heading}”`;
};

const getFirstClause = (text: string): string => /^[^;:,.]*/.exec(text)?.[0] ?? text;

const titleStatePattern = /^(title|purchase|payment|receipt|viewer)\./;

/** The name of the page at the current address. */
const describeRoute = (route: ReturnType<typeof getRoute>): string | null => {
  if (route === null) return null;
  const search = route.query['search'];
  if (route.flow === 'catalogue' && search) return `the titles found for “${search}”`;
  const name = findRouteName(route.path);
  return name === undefined ? (route.flow === 'catalogue' ? `the list of titles at ${route.path}` : null) : `“${name}”`;
};

/** The current route, as far as the shop knows. */
export const getRoute = (actors: Actors): Pick<Route, 'flow' | 'path' | 'query'> | null => {
  const route = getObject(findRunning(actors, /^root$/)?.snapshot, 'route');
  if (!route || typeof route['path'] !== 'string' || !isObject(route['query'])) return null;
  return { flow: route['flow'] as Route['flow'], path: route['path'], query: route['query'] as Route['query'] };
};

/**
 * The address at the start of a run; undefined if the record does not contain it. `run` counts from
 * 0.
 */
export const findPath = ({ positions }: Player, run: number): string | undefined =>
  positions.map((each) => (each.run === run ? getRoute(each.moment.actors)?.path : undefined)).find(Boolean);

/** The id of the signed-in customer, null for a visitor; undefined until it is known. */
export const getCustomer = (actors: Actors): string | null | undefined => {
  const session = getObject(findRunning(actors, /^root$/)?.snapshot, 'session');
  if (!session) return undefined;
  return typeof session['userId'] === 'string' ? session['userId'] : null;
};

/** The purpose of the purchase on the screen; empty if the screen shows none. */
const getPurchaseKind = (actors: Actors): string => {
  const flow = findRunning(actors, flowNamePattern)?.snapshot;
  return flow?.machine.id === 'purchase' ? String(getContext(flow)['of']) : '';
};

/** Whether the purchase on the screen is a gift. */
export const isGiftPurchase = (actors: Actors): boolean => ['gift', 'cartGift'].includes(getPurchaseKind(actors));

/** The payment in progress, with the credits if it is paid in credits; null without a payment. */
export const getPayment = (actors: Actors): { credits: Price | null } | null => {
  const payment = findRunning(actors, /\/payment(~\d+)?$/);
  if (!payment) return null;
  const { credits } = getContext(payment.snapshot);
  return { credits: isPrice(credits) ? credits : null };
};

/** Whether the purchase on the screen is the whole cart. */
export const isCartPurchase = (actors: Actors): boolean => getPurchaseKind(actors) === 'cart';

/** Whether the purchase on the screen is a subscription. */
export const isPlanPurchase = (actors: Actors): boolean => getPurchaseKind(actors) === 'subscription';

/** Whether the browser has left for another site, the payment page. */
export const isLeaving = (actors: Actors): boolean => findRunning(actors, /^root\/location$/)?.snapshot.value === 'leaving';

/** A price as shown: with tax if it is known, otherwise before tax. */
const formatShownPrice = (owner: AnyMachineSnapshot, price: Price, toPay: Price | null): string => {
  if (toPay !== null && toPay.amount !== price.amount) return `${formatPrice(toPay)} with tax`;
  const isTaxPending = getContext(owner)['addsTax'] === true && getObject(owner, 'tax') === null;
  return isTaxPending ? `${formatPrice(price)} before tax` : formatPrice(price);
};

export const getScreen = (actors: Actors): Screen | null => {
  const view = findActorView(actors);
  const [part] = view?.parts ?? [];
  if (!view || !part) return null;
  const { id, text } = part;
  const owner = findRunning(actors, flowNamePattern)?.snapshot ?? view.snapshot;
  const title = titleStatePattern.test(id) || /^(book|tracks|interactive)\./.test(id) ? getTitle(owner) : null;
  const price = titleStatePattern.test(id) ? getPrice(owner) : null;
  const toPay = price === null ? null : getAmountDue(owner);
  const details = { title, price, toPay, words: view.parts.map((each) => each.text).join(' ') };
  if (isLeaving(actors)) return { ...details, text: 'the payment page', waits: false };
  if (/name as the heading/.test(text)) return { ...details, text: `the page of “${title ?? 'a title'}”`, waits: false };
  const waits = text.startsWith('A wait') || view.snapshot.hasTag('busy');
  const name = getOwnProperty(screenNames, id) ?? findHeading(text) ?? describeRoute(getRoute(actors)) ?? getFirstClause(text);
  // A receipt for credits, a code or a free title has no price.
  const titleText =
    title === null || name.includes(title) || waits
      ? ''
      : ` (“${title}”${price && price.amount > 0 ? `, ${formatShownPrice(owner, price, toPay)}` : ''})`;
  return { ...details, text: `${name}${titleText}`, waits };
};
