import type { AnyMachineSnapshot } from 'xstate';
import type { Player, Position } from '../../machines/trace/player.ts';
import { shortNumber } from '../../machines/model/buying/order-number.ts';
import type { Price } from '../../machines/model/catalogue/title.ts';
import { isWrong, type Act } from './acts.ts';
import { outputIn } from './troubles.ts';
import {
  contextOf,
  customerIn,
  isAway,
  isGift,
  machineIn,
  nameIn,
  objectIn,
  offeredIn as offered,
  paymentIn,
  runningIn,
  screenIn,
} from './screen.ts';
import { creditsText, placeText, priceText, shortClockText } from './text.ts';

/** The first lines for support: who, what was bought, what was seen last, what went wrong first, and how it ended. */
export type Summary = { who: string; what: string[]; sawLast: string; wentWrong: string; ended: string };

/** What became of a purchase, as far as the record tells. */
type End = 'paid' | 'cancelled' | 'not paid' | 'not known' | 'subscribed' | 'used' | null;

/**
 * `by` says what is no purchase by a transaction, `gives` what has no title; `credits` were given in place of the price; `taxed` says which
 * tax came on top of what the page of the title says.
 */
type Bought = {
  title: string | null;
  price: Price | null;
  credits?: Price | null;
  taxed?: string | null;
  transId: string | null;
  isOver: boolean;
  end: End;
  by?: string;
  gives?: string | null;
  /** Of a gift, the day on which it goes out, empty for at once; null where no receipt has told. */
  day?: string | null;
};

const nameOf = ({ title, gives }: Bought): string | null => (title === null ? (gives ?? null) : `“${title}”`);

/** Whose session it was, one after the other; null for a visitor's. */
const sessions = ({ positions }: Player): (string | null)[] =>
  positions
    .map(({ moment }) => customerIn(moment.actors))
    .filter((id) => id !== undefined)
    .filter((id, at, all) => at === 0 || id !== all[at - 1]);

const whoOf = (player: Player, acts: readonly Act[]): string => {
  const all = sessions(player);
  const ids = [...new Set(all.filter((id) => id !== null))];
  if (ids.length === 0) return 'A visitor, not signed in';
  const wasVisitor = all[0] === null;
  const came = acts.find(({ text }) => /(?:is|now) signed in/.test(text));
  const isSame = ids.length === 1 ? ', the same customer' : '';
  const again = came === undefined ? '' : `; again at ${shortClockText(came.at)}${isSame}`;
  const sinceVisitor = came ? `, signed in at ${shortClockText(came.at)}` : ', whose sign-in is not in this record';
  const since = wasVisitor ? sinceVisitor : `, signed in when the visit began${again}`;
  return `Customer ${ids.join(', then customer ')}${since}`;
};

/** What the server, or the payment, said last of each transaction. */
const endsOf = (positions: readonly Position[]): Map<string, End> => {
  const ends = new Map<string, End>();
  const told: Readonly<Record<string, End>> = { cancelled: 'cancelled', failed: 'not paid', paid: 'paid' };
  const states: Readonly<Record<string, End>> = {
    cancelled: 'cancelled',
    failed: 'not paid',
    succeeded: 'paid',
    unknown: 'not known',
  };
  for (const { recorded, moment } of positions) {
    const { status, transId } = outputIn(recorded.input);
    if (typeof transId === 'string' && typeof status === 'string') ends.set(transId, told[status] ?? ends.get(transId) ?? null);
    for (const name of Object.keys(moment.actors)) {
      const payment = /\/payment(~\d+)?$/.test(name) ? machineIn(moment.actors, name) : null;
      const id = contextOf(payment)['transId'];
      const end = payment && typeof payment.value === 'string' ? states[payment.value] : undefined;
      if (typeof id === 'string' && id !== '' && end !== undefined) ends.set(id, end);
    }
  }
  return ends;
};

/** Where the purchase of a plan has come to, by the states of its machines. */
const planEnds: Readonly<Record<string, Readonly<Record<string, End>>>> = {
  payment: { actionRequired: null, charging: null, confirming: null, reconciling: null, unknown: 'not known' },
  purchase: { failed: 'not paid', cancelled: 'cancelled', succeeded: 'subscribed' },
  receipt: { subscribed: 'subscribed' },
};

/** It is about a subscription. */
const isOfPlan = (flow: AnyMachineSnapshot): boolean => {
  const { of, isOfPlan: isItsReceipt } = contextOf(flow);
  return of === 'subscription' || isItsReceipt === true;
};

/** A subscription, which is known by its own number from its confirmation on. */
const subscribedIn = (flow: AnyMachineSnapshot): (Pick<Bought, 'title' | 'end'> & { key: string; by: string }) | null => {
  const { plan, subscription } = contextOf(flow);
  const ends = planEnds[flow.machine.id] ?? {};
  const value = String(flow.value);
  if (!isOfPlan(flow) || !Object.hasOwn(ends, value)) return null;
  const title = nameIn(subscription) ?? nameIn(plan);
  return { key: 'subscription', title, end: ends[value] ?? null, by: 'a subscription' };
};

/** A subscription; a code, which has no number. */
const unnumbered = (flow: AnyMachineSnapshot): (Pick<Bought, 'title' | 'end' | 'gives'> & { key: string; by: string }) | null => {
  const { id, value } =
    flow.machine.id === 'payment' ? { id: '', value: '' } : { id: flow.machine.id, value: flow.value as unknown };
  const subscribed = subscribedIn(flow);
  if (subscribed !== null) return subscribed;
  if (id !== 'redeem' || value !== 'redeemed') return null;
  const { chosen } = contextOf(flow);
  const offer = objectIn(flow, 'offer');
  const gives = offer?.['kind'] === 'credits' ? creditsText(offer['credits']) : null;
  return { key: `code ${String(chosen)}`, title: offered(offer, chosen), gives, end: 'used', by: 'by a code' };
};

/** The tax that comes on top: `$0.55 tax of France`. */
const taxedIn = (flow: AnyMachineSnapshot, price: Price | null): string | null => {
  const { place, taxPrice } = objectIn(flow, 'tax') ?? {};
  const of = placeText(place);
  if (of === null || price === null || typeof taxPrice !== 'number' || taxPrice === 0) return null;
  return `${priceText({ ...price, amount: taxPrice })} tax of ${of}`;
};

const giftDayIn = (flow: AnyMachineSnapshot): string | null => {
  const gift = objectIn(flow, 'receipt')?.['gift'] as { deliverOn?: unknown } | null | undefined;
  return typeof gift?.deliverOn === 'string' ? gift.deliverOn : null;
};

/** What was to be bought, in the order in which its payment began; what has no transaction yet is there only when nothing else is. */
const purchases = ({ positions }: Player): Bought[] => {
  const found = new Map<string, Bought>();
  const ends = endsOf(positions);
  let looked: Bought | null = null;
  /** Codes for credits have no title to tell them apart by: each is used once, and looked at any number of times. */
  let [codes, isBeingUsed] = [0, false];
  /** The payment that was under way last: a receipt does not tell how, or for whom, it was made. */
  let begun: { credits: Price | null; isGift: boolean } | null = null;
  for (const { moment } of positions) {
    const payment = paymentIn(moment.actors);
    if (payment) begun = { ...payment, isGift: isGift(moment.actors) };
    const screen = screenIn(moment.actors);
    const flow = runningIn(moment.actors, /^root\/screen(~\d+)?\/flow(~\d+)?(\/payment(~\d+)?)?$/)?.snapshot;
    if (!screen || !flow) continue;
    const other = unnumbered(flow);
    if (other?.end === 'used' && (isBeingUsed || codes === 0)) codes += 1;
    isBeingUsed = flow.machine.id === 'redeem' && flow.value === 'redeeming';
    if (other) {
      const { end, by, gives } = other;
      const key = gives === null || gives === undefined ? other.key : `code ${codes}`;
      const known = found.get(key);
      const { transId: own } = contextOf(flow);
      const transId = typeof own === 'string' && own !== '' ? own : (known?.transId ?? null);
      const title = other.title ?? screen.title ?? known?.title ?? null;
      const price = by === 'by a code' ? null : (screen.price ?? known?.price ?? null);
      found.set(key, { title, price, transId, isOver: false, end: end ?? known?.end ?? null, by, gives });
      continue;
    }
    const { transId } = contextOf(flow);
    if (screen.title !== null) looked = { title: screen.title, price: screen.price, transId: null, isOver: false, end: null };
    if (typeof transId !== 'string' || transId === '' || isOfPlan(flow)) continue;
    const known = found.get(transId);
    // Back from the payment page the shop knows the title by its number alone, until the receipt has come.
    const title = screen.title ?? known?.title ?? null;
    const end = ends.get(transId) ?? null;
    const isOver = end === 'cancelled' || end === 'not paid';
    const price = screen.price ?? known?.price ?? null;
    const credits = known ? known.credits : begun?.credits;
    const isGiven = isGift(moment.actors) || (known ? known.by !== undefined : begun?.isGift === true);
    const taxed = taxedIn(flow, screen.price) ?? known?.taxed;
    const day = giftDayIn(flow) ?? known?.day ?? null;
    found.set(transId, { title, price, credits, taxed, transId, isOver, end, ...(isGiven && { by: 'a gift', day }) });
  }
  return found.size > 0 ? [...found.values()] : looked ? [looked] : [];
};

const endTexts: Readonly<Record<NonNullable<End>, string>> = {
  paid: 'paid',
  cancelled: 'cancelled, and nothing was charged',
  'not paid': 'not paid',
  'not known': 'not known yet whether it was paid',
  subscribed: 'subscribed',
  used: 'the code was used',
};

const giftText = (day: string | null | undefined): string => {
  if (day === null || day === undefined) return 'the gift is on its way, or goes out on the day that was chosen';
  return day === '' ? 'the gift is on its way' : `the gift goes out on ${day}`;
};

const endText = ({ title, end, by, day }: Bought): string => {
  if (end === null) return 'not paid';
  if (end === 'used' && title !== null) return 'the customer has it, for the code';
  return end === 'paid' && by === 'a gift' ? `paid, and ${giftText(day)}` : endTexts[end];
};

const costText = (price: Price, { taxed, inCredits }: { taxed: string | null | undefined; inCredits: boolean }): string => {
  if (inCredits) return `${priceText(price)} and no money`;
  return taxed == null ? priceText(price) : `${priceText(price)} with ${taxed}`;
};

const whatOf = (bought: readonly Bought[]): string[] => {
  const all = bought.map((each) => {
    const { price: inMoney, credits, taxed, transId, isOver, by } = each;
    const price = credits ?? inMoney;
    return [
      nameOf(each) ?? 'A title that the record does not name',
      ...(price ? [costText(price, { taxed, inCredits: Boolean(credits) })] : []),
      ...(by === undefined ? [] : [by]),
      ...(transId === null && by === undefined ? ['no payment was begun'] : []),
      // What was cancelled is no order: its customer has never seen a number.
      ...(transId === null || isOver ? [] : [`order ${shortNumber(transId)}`]),
      ...(transId === null ? [] : [`transaction ${transId}`]),
    ].join(', ');
  });
  return all.length === 0 ? ['No title was looked at'] : all;
};

const isPaid = ({ text }: Act): boolean => /(is|are) taken|in the library$|is on its way$/.test(text);
const hasSubscribed = ({ text }: Act): boolean => text.startsWith('The subscription has begun');
const isCancelled = ({ text, shows }: Act): boolean =>
  text.startsWith('The payment was cancelled') || (shows?.startsWith('“Purchase cancelled”') ?? false);

/** What became of the money, and of what went wrong. */
const outcomeOf = (last: Position, acts: readonly Act[], bought: readonly Bought[]): string => {
  const begunAll = bought.filter(({ transId, by }) => transId !== null || by !== undefined);
  const begun = begunAll.length;
  const payment = runningIn(last.moment.actors, /\/payment(~\d+)?$/)?.snapshot.value as unknown;
  const end = acts.findLast((act) => isPaid(act) || hasSubscribed(act) || isCancelled(act));
  const failure = acts.findLast(isWrong);
  const later = acts.slice(failure ? acts.indexOf(failure) + 1 : 0).some(({ kind, shows }) => kind === 'works' || shows !== null);
  const trouble = failure && !later && failure.shows === null ? `; not solved: ${failure.text}` : '';
  if (isAway(last.moment.actors)) return 'Went to the payment page and is not back in this record: look the transaction up';
  if (payment === 'unknown') return 'Not known yet whether the payment went through: the shop goes on asking';
  // Of several things each has come to an end of its own.
  if (begun > 1 && begunAll.some(({ end }) => end !== 'paid'))
    return `${begunAll.map((each) => `${nameOf(each) ?? 'what the record does not name'}: ${endText(each)}`).join('; ')}${trouble}`;
  if (bought[0]?.end === 'subscribed') return `Subscribed${trouble}`;
  if (bought[0]?.end === 'used') return `The code was used, and what it gives is the customer’s${trouble}`;
  const payments = Math.min(acts.filter(isPaid).length, begun);
  const paid =
    bought[0]?.by === 'a gift'
      ? `Paid, and ${giftText(bought[0].day)}`
      : payments > 1
        ? `${payments} payments taken, and the titles are in the library`
        : 'Paid, and the title is in the library';
  if (end && hasSubscribed(end)) return `Subscribed${trouble}`;
  if (end) return `${isPaid(end) ? paid : 'Cancelled, and nothing was charged'}${trouble}`;
  return `${begun > 0 ? 'Not paid' : 'Nothing was bought'}${trouble}`;
};

const lastScreen = (acts: readonly Act[]): string => acts.findLast(({ shows }) => shows !== null)?.shows ?? 'no screen yet';

const wrongOf = (acts: readonly Act[]): string => {
  const [first, ...others] = acts.filter(isWrong);
  if (!first) return 'Nothing that the shop knows of';
  const last = others.at(-1);
  const which = others.length > 1 ? `the last of ${others.length + 1}` : 'then';
  // What began it may be solved by now; what came last may be what the customer writes about.
  const then = last === undefined ? '' : `; ${which}, at ${shortClockText(last.at)}: ${last.text}`;
  return `At ${shortClockText(first.at)}: ${first.text}${then}`;
};

export const summaryOf = (player: Player, acts: readonly Act[], duration: number): Summary => {
  const last = player.positions.at(-1);
  const bought = purchases(player);
  return {
    who: whoOf(player, acts),
    what: whatOf(bought),
    sawLast: `${lastScreen(acts)}, at ${shortClockText(duration)}`,
    wentWrong: wrongOf(acts),
    ended: last ? outcomeOf(last, acts, bought) : 'Nothing is recorded',
  };
};
