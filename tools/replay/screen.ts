import type { AnyMachineSnapshot, AnyStateNode, Snapshot } from 'xstate';
import type { Route } from '../../machines/flows/route.ts';
import type { Player } from '../../machines/trace/player.ts';
import type { Price } from '../../machines/model/catalogue/title.ts';
import { nameAt } from '../../machines/flows/routes.ts';
import { describedAs, descriptionOf, ownProperty } from './descriptions.ts';
import { priceText } from './text.ts';

type Actors = Readonly<Record<string, Snapshot<unknown>>>;

/** The snapshot of an actor that is a machine; null for effects and missing actors. */
export const machineIn = (actors: Actors, name: string): AnyMachineSnapshot | null => {
  const snapshot = ownProperty(actors, name);
  // A damaged checkpoint may contain any value.
  return typeof snapshot === 'object' && snapshot !== null && 'machine' in snapshot ? (snapshot as AnyMachineSnapshot) : null;
};

/** The newest running machine whose actor's name matches. */
export const runningIn = (actors: Actors, name: RegExp): { name: string; snapshot: AnyMachineSnapshot } | null => {
  for (const each of Object.keys(actors).toReversed()) {
    const snapshot = name.test(each) ? machineIn(actors, each) : null;
    if (snapshot?.status === 'active') return { name: each, snapshot };
  }
  return null;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A machine's context; in a damaged checkpoint, it and its fields may be any value. */
export const contextOf = (snapshot: AnyMachineSnapshot | null | undefined): Record<string, unknown> =>
  isObject(snapshot?.context) ? snapshot.context : {};

/** An object in a running actor's context, by its key. */
export const objectIn = (snapshot: AnyMachineSnapshot | null | undefined, key: string): Record<string, unknown> | null => {
  const value = contextOf(snapshot)[key];
  return isObject(value) ? value : null;
};

export const flowName = /^root\/screen(~\d+)?\/flow(~\d+)?$/;

const isPrice = (value: unknown): value is Price =>
  isObject(value) && typeof value['amount'] === 'number' && typeof value['currency'] === 'string';

const priceIn = (snapshot: AnyMachineSnapshot): Price | null => {
  const { price, receipt, title, plan, held, subscription } = contextOf(snapshot);
  const first = isObject(title) && Array.isArray(title['prices']) ? (title['prices'][0] as unknown) : null;
  const [planned, renewed] = [plan, subscription ?? held].map((each) => (isObject(each) ? each['price'] : null));
  return [price, receipt, first, planned, renewed].find(isPrice) ?? null;
};

type Part = { id: string; text: string };

/** The amount to pay, including tax if it is added. */
const toPayIn = (snapshot: AnyMachineSnapshot): Price | null => {
  const price = priceIn(snapshot);
  const withTax = objectIn(snapshot, 'tax')?.['priceWithTax'];
  return price !== null && typeof withTax === 'number' ? { ...price, amount: withTax } : price;
};

/** Replaces the price placeholders of a text; unchanged without a price. */
export const priced = (text: string, price: Price | null): string =>
  price === null ? text : text.replace(/\{(?:price|amount|total)\}/g, () => priceText(price));

const partsOf = (snapshot: AnyMachineSnapshot): Part[] =>
  (snapshot._nodes as AnyStateNode[])
    .filter(({ type }) => type === 'atomic' || type === 'final')
    .toSorted((one, other) => one.order - other.order)
    .map(({ id }) => {
      const text = describedAs(ownProperty(descriptionOf.get(snapshot.machine.id)?.states, id), snapshot);
      return { id, text: text === undefined ? id : priced(text, toPayIn(snapshot)) };
    });

type ActorView = { actor: string; snapshot: AnyMachineSnapshot; parts: Part[] };

/** A running child machine, by its parent and id. */
const childIn = (actors: Actors, parent: string, id: string): { name: string; snapshot: AnyMachineSnapshot } | null => {
  for (const name of Object.keys(actors).toReversed()) {
    if (name.slice(0, name.lastIndexOf('/')) !== parent) continue;
    const snapshot = machineIn(actors, name);
    if (snapshot?.status === 'active' && snapshot.machine.id === id) return { name, snapshot };
  }
  return null;
};

/** The machine of the screen that the customer sees, not that of the frame. */
const seenIn = (actors: Actors): ActorView | null => {
  const seen = (actor: string, snapshot: AnyMachineSnapshot): ActorView => {
    const parts = partsOf(snapshot);
    const inner = parts
      .map(({ id }) => ownProperty(descriptionOf.get(snapshot.machine.id)?.inner, id))
      .find((each) => each !== undefined);
    const child = inner === undefined ? null : childIn(actors, actor, inner);
    return child ? seen(child.name, child.snapshot) : { actor, snapshot, parts };
  };
  const app = runningIn(actors, /^root$/);
  if (!app) return null;
  const boot = app.snapshot.value === 'opening' ? runningIn(actors, /^root\/boot(~\d+)?$/) : null;
  if (boot) return seen(boot.name, boot.snapshot);
  const screen = runningIn(actors, /^root\/screen(~\d+)?$/);
  const flow = runningIn(actors, flowName);
  // While the next flow is loaded, the previous one remains on the screen.
  if (flow) return seen(flow.name, flow.snapshot);
  return screen ? seen(screen.name, screen.snapshot) : seen('root', app.snapshot);
};

/**
 * The customer's screen, one sentence per part, as described by the screen's own machine, without
 * the frame.
 */
export const sawIn = (actors: Actors): string[] => seenIn(actors)?.parts.map(({ text }) => text) ?? [];

/** The customer's screen in a few words. */
export type Screen = {
  text: string;
  /** The full description. */
  words: string;
  /** Whether it is a wait that ends automatically. */
  waits: boolean;
  /** The title shown, if any, and its price. */
  title: string | null;
  price: Price | null;
  /** The amount on the Pay button. */
  toPay: Price | null;
};

export const nameIn = (value: unknown): string | null =>
  isObject(value) && typeof value['name'] === 'string' ? value['name'] : null;

/** The title or plan that a code grants: the chosen one, or the only one. */
export const offeredIn = (offer: unknown, chosen: unknown): string | null => {
  if (!isObject(offer)) return null;
  const titles: unknown[] = Array.isArray(offer['titles']) ? offer['titles'] : [];
  const given = titles.find((each) => isObject(each) && each['id'] === chosen) ?? titles[0];
  return nameIn(given) ?? nameIn(offer['plan']);
};

const listIn = (value: unknown, key: string): unknown[] => {
  const list = isObject(value) ? value[key] : null;
  return Array.isArray(list) ? list : [];
};

/** Several titles, joined for one pair of quotes that the caller adds. */
const namesOf = (titles: readonly unknown[]): string | null =>
  titles.length === 0 ? null : titles.map((title) => nameIn(title) ?? 'a title').join('” and “');

/** The titles in a cart's payment. */
const linesIn = (quote: unknown): string | null =>
  namesOf(
    listIn(quote, 'lines').flatMap((line) =>
      isObject(line) && (line['state'] === 'payable' || line['state'] === 'reward') ? [line['title']] : [],
    ),
  );

/**
 * The title in a machine's context: of a title page, a purchase, a receipt or an open title, or the
 * plan of a subscription.
 */
const titleIn = (snapshot: AnyMachineSnapshot): string | null => {
  const { title, opened, receipt, plan, held, subscription, cart } = contextOf(snapshot);
  const bought = namesOf(listIn(receipt, 'titles')) ?? nameIn(receipt);
  const one = nameIn(title) ?? bought ?? nameIn(isObject(opened) ? opened['publication'] : null);
  return one ?? nameIn(plan) ?? nameIn(subscription ?? held) ?? linesIn(cart);
};

/** Screens whose description contains no heading. */
const names: Readonly<Record<string, string>> = {
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
const headingIn = (text: string): string | null => {
  const heading = /(?:heading |^A wait[^“]*|^)“([^”]+)”/.exec(text)?.[1];
  return heading === undefined ? null : `“${heading}”`;
};

const clauseIn = (text: string): string => /^[^;:,.]*/.exec(text)?.[0] ?? text;

const isAboutTitle = /^(title|purchase|payment|receipt|viewer)\./;

/** The name of the page at the current address. */
const placeAt = (route: ReturnType<typeof routeIn>): string | null => {
  if (route === null) return null;
  const search = route.query['search'];
  if (route.flow === 'catalogue' && search) return `the titles found for “${search}”`;
  const name = nameAt(route.path);
  return name === undefined ? (route.flow === 'catalogue' ? `the list of titles at ${route.path}` : null) : `“${name}”`;
};

/** The current route, as far as the shop knows. */
export const routeIn = (actors: Actors): Pick<Route, 'flow' | 'path' | 'query'> | null => {
  const route = objectIn(runningIn(actors, /^root$/)?.snapshot, 'route');
  if (!route || typeof route['path'] !== 'string' || !isObject(route['query'])) return null;
  return { flow: route['flow'] as Route['flow'], path: route['path'], query: route['query'] as Route['query'] };
};

/**
 * The address at the start of a run; undefined if the record does not contain it. `run` counts from
 * 0.
 */
export const pathOf = ({ positions }: Player, run: number): string | undefined =>
  positions.map((each) => (each.run === run ? routeIn(each.moment.actors)?.path : undefined)).find(Boolean);

/** The id of the signed-in customer, null for a visitor; undefined until it is known. */
export const customerIn = (actors: Actors): string | null | undefined => {
  const session = objectIn(runningIn(actors, /^root$/)?.snapshot, 'session');
  if (!session) return undefined;
  return typeof session['userId'] === 'string' ? session['userId'] : null;
};

/** The purpose of the purchase on the screen; empty if the screen shows none. */
const boughtIn = (actors: Actors): string => {
  const flow = runningIn(actors, flowName)?.snapshot;
  return flow?.machine.id === 'purchase' ? String(contextOf(flow)['of']) : '';
};

/** Whether the purchase on the screen is a gift. */
export const isGift = (actors: Actors): boolean => ['gift', 'cartGift'].includes(boughtIn(actors));

/** The payment in progress, with the credits if it is paid in credits; null without a payment. */
export const paymentIn = (actors: Actors): { credits: Price | null } | null => {
  const payment = runningIn(actors, /\/payment(~\d+)?$/);
  if (!payment) return null;
  const { credits } = contextOf(payment.snapshot);
  return { credits: isPrice(credits) ? credits : null };
};

/** Whether the purchase on the screen is the whole cart. */
export const isCart = (actors: Actors): boolean => boughtIn(actors) === 'cart';

/** Whether the purchase on the screen is a subscription. */
export const isPlan = (actors: Actors): boolean => boughtIn(actors) === 'subscription';

/** Whether the browser has left for another site, the payment page. */
export const isAway = (actors: Actors): boolean => runningIn(actors, /^root\/location$/)?.snapshot.value === 'leaving';

/** A price as shown: with tax if it is known, otherwise before tax. */
const shownPrice = (owner: AnyMachineSnapshot, price: Price, toPay: Price | null): string => {
  if (toPay !== null && toPay.amount !== price.amount) return `${priceText(toPay)} with tax`;
  const isToCome = contextOf(owner)['addsTax'] === true && objectIn(owner, 'tax') === null;
  return isToCome ? `${priceText(price)} before tax` : priceText(price);
};

export const screenIn = (actors: Actors): Screen | null => {
  const seen = seenIn(actors);
  const [part] = seen?.parts ?? [];
  if (!seen || !part) return null;
  const { id, text } = part;
  const owner = runningIn(actors, flowName)?.snapshot ?? seen.snapshot;
  const title = isAboutTitle.test(id) || /^(book|tracks|interactive)\./.test(id) ? titleIn(owner) : null;
  const price = isAboutTitle.test(id) ? priceIn(owner) : null;
  const toPay = price === null ? null : toPayIn(owner);
  const about = { title, price, toPay, words: seen.parts.map((each) => each.text).join(' ') };
  if (isAway(actors)) return { ...about, text: 'the payment page', waits: false };
  if (/name as the heading/.test(text)) return { ...about, text: `the page of “${title ?? 'a title'}”`, waits: false };
  const waits = text.startsWith('A wait') || seen.snapshot.hasTag('busy');
  const named = ownProperty(names, id) ?? headingIn(text) ?? placeAt(routeIn(actors)) ?? clauseIn(text);
  // A receipt for credits, a code or a free title has no price.
  const what =
    title === null || named.includes(title) || waits
      ? ''
      : ` (“${title}”${price && price.amount > 0 ? `, ${shownPrice(owner, price, toPay)}` : ''})`;
  return { ...about, text: `${named}${what}`, waits };
};
