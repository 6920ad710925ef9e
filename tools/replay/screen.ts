import type { AnyMachineSnapshot, AnyStateNode, Snapshot } from 'xstate';
import type { Route } from '../../machines/flows/route.ts';
import type { Player } from '../../machines/trace/player.ts';
import type { Price } from '../../machines/model/catalogue/title.ts';
import { nameAt } from '../../machines/flows/routes.ts';
import { describedAs, descriptionOf, ownProperty } from './descriptions.ts';
import { priceText } from './text.ts';

type Actors = Readonly<Record<string, Snapshot<unknown>>>;

/** The snapshot of an actor that is a machine; null for effects and for what is not there. */
export const machineIn = (actors: Actors, name: string): AnyMachineSnapshot | null => {
  const snapshot = ownProperty(actors, name);
  // A damaged checkpoint may hold anything.
  return typeof snapshot === 'object' && snapshot !== null && 'machine' in snapshot ? (snapshot as AnyMachineSnapshot) : null;
};

/** The running machine whose actor's name matches, the newest one. */
export const runningIn = (actors: Actors, name: RegExp): { name: string; snapshot: AnyMachineSnapshot } | null => {
  for (const each of Object.keys(actors).toReversed()) {
    const snapshot = name.test(each) ? machineIn(actors, each) : null;
    if (snapshot?.status === 'active') return { name: each, snapshot };
  }
  return null;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A machine's context; out of a damaged checkpoint it may be anything, and so may what is in it. */
export const contextOf = (snapshot: AnyMachineSnapshot | null | undefined): Record<string, unknown> =>
  isObject(snapshot?.context) ? snapshot.context : {};

/** What a running actor's context holds under a key, when that is an object. */
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

/** What is to be paid, with tax where that is added. */
const toPayIn = (snapshot: AnyMachineSnapshot): Price | null => {
  const price = priceIn(snapshot);
  const withTax = objectIn(snapshot, 'tax')?.['priceWithTax'];
  return price !== null && typeof withTax === 'number' ? { ...price, amount: withTax } : price;
};

/** A text with the price that it names in brackets; as it is without one. */
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

type Seen = { actor: string; snapshot: AnyMachineSnapshot; parts: Part[] };

/** The running machine with an id that another one runs. */
const childIn = (actors: Actors, parent: string, id: string): { name: string; snapshot: AnyMachineSnapshot } | null => {
  for (const name of Object.keys(actors).toReversed()) {
    if (name.slice(0, name.lastIndexOf('/')) !== parent) continue;
    const snapshot = machineIn(actors, name);
    if (snapshot?.status === 'active' && snapshot.machine.id === id) return { name, snapshot };
  }
  return null;
};

/** The machine whose screen the customer sees, the frame left out. */
const seenIn = (actors: Actors): Seen | null => {
  const seen = (actor: string, snapshot: AnyMachineSnapshot): Seen => {
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
  // While the next flow is fetched the one before stays on the screen.
  if (flow) return seen(flow.name, flow.snapshot);
  return screen ? seen(screen.name, screen.snapshot) : seen('root', app.snapshot);
};

/** What the customer saw, a sentence for each part of the screen: the words of the screen’s own machine, not of the frame. */
export const sawIn = (actors: Actors): string[] => seenIn(actors)?.parts.map(({ text }) => text) ?? [];

/** What the customer saw in a few words. */
export type Screen = {
  text: string;
  /** The whole description. */
  words: string;
  /** Only a wait; something else follows by itself. */
  waits: boolean;
  /** The title that it is about, if any, and its price. */
  title: string | null;
  price: Price | null;
  /** What a button that pays says. */
  toPay: Price | null;
};

export const nameIn = (value: unknown): string | null =>
  isObject(value) && typeof value['name'] === 'string' ? value['name'] : null;

/** The title, or the plan, that a code gives: the one that was chosen, or the only one. */
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

/** Several titles in one pair of quotes, which whoever shows them adds. */
const namesOf = (titles: readonly unknown[]): string | null =>
  titles.length === 0 ? null : titles.map((title) => nameIn(title) ?? 'a title').join('” and “');

/** The titles that a cart’s payment is for. */
const linesIn = (quote: unknown): string | null =>
  namesOf(
    listIn(quote, 'lines').flatMap((line) =>
      isObject(line) && (line['state'] === 'payable' || line['state'] === 'reward') ? [line['title']] : [],
    ),
  );

/** What a machine’s context is about: a title’s page, a purchase, a receipt or an open title has one, a subscription has its plan. */
const titleIn = (snapshot: AnyMachineSnapshot): string | null => {
  const { title, opened, receipt, plan, held, subscription, cart } = contextOf(snapshot);
  const bought = namesOf(listIn(receipt, 'titles')) ?? nameIn(receipt);
  const one = nameIn(title) ?? bought ?? nameIn(isObject(opened) ? opened['publication'] : null);
  return one ?? nameIn(plan) ?? nameIn(subscription ?? held) ?? linesIn(cart);
};

/** Screens whose description names no heading. */
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

/** The first words of a description: a heading, what is said in its place, or the first clause. */
const headingIn = (text: string): string | null => {
  const heading = /(?:heading |^A wait[^“]*|^)“([^”]+)”/.exec(text)?.[1];
  return heading === undefined ? null : `“${heading}”`;
};

const clauseIn = (text: string): string => /^[^;:,.]*/.exec(text)?.[0] ?? text;

const isAboutTitle = /^(title|purchase|payment|receipt|viewer)\./;

/** The place in the shop, as its pages are called. */
const placeAt = (route: ReturnType<typeof routeIn>): string | null => {
  if (route === null) return null;
  const search = route.query['search'];
  if (route.flow === 'catalogue' && search) return `the titles found for “${search}”`;
  const name = nameAt(route.path);
  return name === undefined ? (route.flow === 'catalogue' ? `the list of titles at ${route.path}` : null) : `“${name}”`;
};

/** Where the address bar is, as far as the shop knows. */
export const routeIn = (actors: Actors): Pick<Route, 'flow' | 'path' | 'query'> | null => {
  const route = objectIn(runningIn(actors, /^root$/)?.snapshot, 'route');
  if (!route || typeof route['path'] !== 'string' || !isObject(route['query'])) return null;
  return { flow: route['flow'] as Route['flow'], path: route['path'], query: route['query'] as Route['query'] };
};

/** The address that a run begins at; undefined where the record does not tell. `run` counts from 0. */
export const pathOf = ({ positions }: Player, run: number): string | undefined =>
  positions.map((each) => (each.run === run ? routeIn(each.moment.actors)?.path : undefined)).find(Boolean);

/** The customer who is signed in, null for a visitor; undefined as long as that is not known. */
export const customerIn = (actors: Actors): string | null | undefined => {
  const session = objectIn(runningIn(actors, /^root$/)?.snapshot, 'session');
  if (!session) return undefined;
  return typeof session['userId'] === 'string' ? session['userId'] : null;
};

/** The purpose of the purchase on the screen; empty where the screen shows no purchase. */
const boughtIn = (actors: Actors): string => {
  const flow = runningIn(actors, flowName)?.snapshot;
  return flow?.machine.id === 'purchase' ? String(contextOf(flow)['of']) : '';
};

/** What is paid for there is for somebody else. */
export const isGift = (actors: Actors): boolean => ['gift', 'cartGift'].includes(boughtIn(actors));

/** The payment that is under way, with the credits that are given in place of money; null where none is. */
export const paymentIn = (actors: Actors): { credits: Price | null } | null => {
  const payment = runningIn(actors, /\/payment(~\d+)?$/);
  if (!payment) return null;
  const { credits } = contextOf(payment.snapshot);
  return { credits: isPrice(credits) ? credits : null };
};

/** What is paid for there is all that is in the cart. */
export const isCart = (actors: Actors): boolean => boughtIn(actors) === 'cart';

/** The purchase on the screen is of a subscription. */
export const isPlan = (actors: Actors): boolean => boughtIn(actors) === 'subscription';

/** The browser has left for another site: the payment page. */
export const isAway = (actors: Actors): boolean => runningIn(actors, /^root\/location$/)?.snapshot.value === 'leaving';

/** A price as the screen has it: with tax where that is known, before it where it is still to come. */
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
  // What was had for credits, a code or nothing has no price on its receipt.
  const what =
    title === null || named.includes(title) || waits
      ? ''
      : ` (“${title}”${price && price.amount > 0 ? `, ${shownPrice(owner, price, toPay)}` : ''})`;
  return { ...about, text: `${named}${what}`, waits };
};
