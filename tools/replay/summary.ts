import type { AnyMachineSnapshot } from 'xstate';
import type { Player, Position } from '../../machines/trace/player.ts';
import { formatOrderNumber } from '../../machines/model/buying/order-number.ts';
import type { Price } from '../../machines/model/catalogue/title.ts';
import { isWrong, type NarrativeLine } from './narrative.ts';
import { getOutput } from './failures.ts';
import {
  getContext,
  getCustomer,
  isLeaving,
  isGiftPurchase,
  getMachineSnapshot,
  getName,
  getObject,
  getOfferedName as offered,
  getPayment,
  findRunning,
  getScreen,
} from './screen.ts';
import { creditsText, placeText, priceText, shortClockText } from './text.ts';

/**
 * The first lines for support: the customer, the purchases, the last screen, the first failure, and
 * the end.
 */
export type Summary = { who: string; what: string[]; sawLast: string; wentWrong: string; ended: string };

/** The outcome of a purchase, as far as the record shows it. */
type End = 'paid' | 'cancelled' | 'not paid' | 'not known' | 'subscribed' | 'used' | null;

/**
 * `by` is the means if there is no transaction, `gives` names the grant if there is no title;
 * `credits` were paid instead of money; `taxed` is the tax added to the price on the title's page.
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
  /** The day on which a gift is sent, empty for at once; null if no receipt shows it. */
  day?: string | null;
};

const getTitleText = ({ title, gives }: Bought): string | null => (title === null ? (gives ?? null) : `“${title}”`);

/** The users of the sessions in order; null for a visitor's. */
const getSessions = ({ positions }: Player): (string | null)[] =>
  positions
    .map(({ moment }) => getCustomer(moment.actors))
    .filter((id) => id !== undefined)
    .filter((id, at, all) => at === 0 || id !== all[at - 1]);

const describeCustomer = (player: Player, acts: readonly NarrativeLine[]): string => {
  const all = getSessions(player);
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

/** The last outcome of each transaction that the server, or the payment, reported. */
const findEnds = (positions: readonly Position[]): Map<string, End> => {
  const ends = new Map<string, End>();
  const told: Readonly<Record<string, End>> = { cancelled: 'cancelled', failed: 'not paid', paid: 'paid' };
  const states: Readonly<Record<string, End>> = {
    cancelled: 'cancelled',
    failed: 'not paid',
    succeeded: 'paid',
    unknown: 'not known',
  };
  for (const { recorded, moment } of positions) {
    const { status, transId } = getOutput(recorded.input);
    if (typeof transId === 'string' && typeof status === 'string') ends.set(transId, told[status] ?? ends.get(transId) ?? null);
    for (const name of Object.keys(moment.actors)) {
      const payment = /\/payment(~\d+)?$/.test(name) ? getMachineSnapshot(moment.actors, name) : null;
      const id = getContext(payment)['transId'];
      const end = payment && typeof payment.value === 'string' ? states[payment.value] : undefined;
      if (typeof id === 'string' && id !== '' && end !== undefined) ends.set(id, end);
    }
  }
  return ends;
};

/** The outcome of a plan's purchase, by the states of its machines. */
const planEnds: Readonly<Record<string, Readonly<Record<string, End>>>> = {
  payment: { actionRequired: null, charging: null, confirming: null, reconciling: null, unknown: 'not known' },
  purchase: { failed: 'not paid', cancelled: 'cancelled', succeeded: 'subscribed' },
  receipt: { subscribed: 'subscribed' },
};

/** Whether the flow is about a subscription. */
const isPlanFlow = (flow: AnyMachineSnapshot): boolean => {
  const { of, isOfPlan: isItsReceipt } = getContext(flow);
  return of === 'subscription' || isItsReceipt === true;
};

/** A subscription, identified by its own number after its confirmation. */
const getSubscription = (flow: AnyMachineSnapshot): (Pick<Bought, 'title' | 'end'> & { key: string; by: string }) | null => {
  const { plan, subscription } = getContext(flow);
  const ends = planEnds[flow.machine.id] ?? {};
  const value = String(flow.value);
  if (!isPlanFlow(flow) || !Object.hasOwn(ends, value)) return null;
  const title = getName(subscription) ?? getName(plan);
  return { key: 'subscription', title, end: ends[value] ?? null, by: 'a subscription' };
};

/** A purchase without a transaction: a subscription, or a code. */
const getUnnumbered = (
  flow: AnyMachineSnapshot,
): (Pick<Bought, 'title' | 'end' | 'gives'> & { key: string; by: string }) | null => {
  const { id, value } =
    flow.machine.id === 'payment' ? { id: '', value: '' } : { id: flow.machine.id, value: flow.value as unknown };
  const subscribed = getSubscription(flow);
  if (subscribed !== null) return subscribed;
  if (id !== 'redeem' || value !== 'redeemed') return null;
  const { chosen } = getContext(flow);
  const offer = getObject(flow, 'offer');
  const gives = offer?.['kind'] === 'credits' ? creditsText(offer['credits']) : null;
  return { key: `code ${String(chosen)}`, title: offered(offer, chosen), gives, end: 'used', by: 'by a code' };
};

/** The tax added to the price: `$0.55 tax of France`. */
const getTaxText = (flow: AnyMachineSnapshot, price: Price | null): string | null => {
  const { place, taxPrice } = getObject(flow, 'tax') ?? {};
  const of = placeText(place);
  if (of === null || price === null || typeof taxPrice !== 'number' || taxPrice === 0) return null;
  return `${priceText({ ...price, amount: taxPrice })} tax of ${of}`;
};

const getGiftDay = (flow: AnyMachineSnapshot): string | null => {
  const gift = getObject(flow, 'receipt')?.['gift'] as { deliverOn?: unknown } | null | undefined;
  return typeof gift?.deliverOn === 'string' ? gift.deliverOn : null;
};

/**
 * Intended purchases, in the order in which their payments started; those without a transaction
 * only if there is no other.
 */
const findPurchases = ({ positions }: Player): Bought[] => {
  const found = new Map<string, Bought>();
  const ends = findEnds(positions);
  let looked: Bought | null = null;
  /**
   * Codes for credits have no title to distinguish them by: each can be viewed repeatedly but is
   * used once.
   */
  let [codes, isBeingUsed] = [0, false];
  /**
   * The last payment in progress: a receipt does not show the means of payment, or whether it is a
   * gift.
   */
  let begun: { credits: Price | null; isGift: boolean } | null = null;
  for (const { moment } of positions) {
    const payment = getPayment(moment.actors);
    if (payment) begun = { ...payment, isGift: isGiftPurchase(moment.actors) };
    const screen = getScreen(moment.actors);
    const flow = findRunning(moment.actors, /^root\/screen(~\d+)?\/flow(~\d+)?(\/payment(~\d+)?)?$/)?.snapshot;
    if (!screen || !flow) continue;
    const other = getUnnumbered(flow);
    if (other?.end === 'used' && (isBeingUsed || codes === 0)) codes += 1;
    isBeingUsed = flow.machine.id === 'redeem' && flow.value === 'redeeming';
    if (other) {
      const { end, by, gives } = other;
      const key = gives === null || gives === undefined ? other.key : `code ${codes}`;
      const known = found.get(key);
      const { transId: own } = getContext(flow);
      const transId = typeof own === 'string' && own !== '' ? own : (known?.transId ?? null);
      const title = other.title ?? screen.title ?? known?.title ?? null;
      const price = by === 'by a code' ? null : (screen.price ?? known?.price ?? null);
      found.set(key, { title, price, transId, isOver: false, end: end ?? known?.end ?? null, by, gives });
      continue;
    }
    const { transId } = getContext(flow);
    if (screen.title !== null) looked = { title: screen.title, price: screen.price, transId: null, isOver: false, end: null };
    if (typeof transId !== 'string' || transId === '' || isPlanFlow(flow)) continue;
    const known = found.get(transId);
    // After the return from the payment page, the shop knows only the title's id until the receipt
    // has loaded.
    const title = screen.title ?? known?.title ?? null;
    const end = ends.get(transId) ?? null;
    const isOver = end === 'cancelled' || end === 'not paid';
    const price = screen.price ?? known?.price ?? null;
    const credits = known ? known.credits : begun?.credits;
    const isGiven = isGiftPurchase(moment.actors) || (known ? known.by !== undefined : begun?.isGift === true);
    const taxed = getTaxText(flow, screen.price) ?? known?.taxed;
    const day = getGiftDay(flow) ?? known?.day ?? null;
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

const describePurchases = (bought: readonly Bought[]): string[] => {
  const all = bought.map((each) => {
    const { price: inMoney, credits, taxed, transId, isOver, by } = each;
    const price = credits ?? inMoney;
    return [
      getTitleText(each) ?? 'A title that the record does not name',
      ...(price ? [costText(price, { taxed, inCredits: Boolean(credits) })] : []),
      ...(by === undefined ? [] : [by]),
      ...(transId === null && by === undefined ? ['no payment was begun'] : []),
      // A cancelled purchase has no order number, since its customer has never seen one.
      ...(transId === null || isOver ? [] : [`order ${formatOrderNumber(transId)}`]),
      ...(transId === null ? [] : [`transaction ${transId}`]),
    ].join(', ');
  });
  return all.length === 0 ? ['No title was looked at'] : all;
};

const isPaid = ({ text }: NarrativeLine): boolean => /(is|are) taken|in the library$|is on its way$/.test(text);
const hasSubscribed = ({ text }: NarrativeLine): boolean => text.startsWith('The subscription has begun');
const isCancelled = ({ text, shows }: NarrativeLine): boolean =>
  text.startsWith('The payment was cancelled') || (shows?.startsWith('“Purchase cancelled”') ?? false);

/** The outcome of payments and failures. */
const describeOutcome = (last: Position, acts: readonly NarrativeLine[], bought: readonly Bought[]): string => {
  const begunAll = bought.filter(({ transId, by }) => transId !== null || by !== undefined);
  const begun = begunAll.length;
  const payment = findRunning(last.moment.actors, /\/payment(~\d+)?$/)?.snapshot.value as unknown;
  const end = acts.findLast((act) => isPaid(act) || hasSubscribed(act) || isCancelled(act));
  const failure = acts.findLast(isWrong);
  const later = acts.slice(failure ? acts.indexOf(failure) + 1 : 0).some(({ kind, shows }) => kind === 'works' || shows !== null);
  const trouble = failure && !later && failure.shows === null ? `; not solved: ${failure.text}` : '';
  if (isLeaving(last.moment.actors)) return 'Went to the payment page and is not back in this record: look the transaction up';
  if (payment === 'unknown') return 'Not known yet whether the payment went through: the shop goes on asking';
  // Several purchases are listed with an outcome each.
  if (begun > 1 && begunAll.some(({ end }) => end !== 'paid'))
    return `${begunAll.map((each) => `${getTitleText(each) ?? 'what the record does not name'}: ${endText(each)}`).join('; ')}${trouble}`;
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

const getLastScreen = (acts: readonly NarrativeLine[]): string =>
  acts.findLast(({ shows }) => shows !== null)?.shows ?? 'no screen yet';

const describeFailures = (acts: readonly NarrativeLine[]): string => {
  const [first, ...others] = acts.filter(isWrong);
  if (!first) return 'Nothing that the shop knows of';
  const last = others.at(-1);
  const which = others.length > 1 ? `the last of ${others.length + 1}` : 'then';
  // The first failure may be solved by now; the last one may be the reason for the request to
  // support.
  const then = last === undefined ? '' : `; ${which}, at ${shortClockText(last.at)}: ${last.text}`;
  return `At ${shortClockText(first.at)}: ${first.text}${then}`;
};

export const createSummary = (player: Player, acts: readonly NarrativeLine[], duration: number): Summary => {
  const last = player.positions.at(-1);
  const bought = findPurchases(player);
  return {
    who: describeCustomer(player, acts),
    what: describePurchases(bought),
    sawLast: `${getLastScreen(acts)}, at ${shortClockText(duration)}`,
    wentWrong: describeFailures(acts),
    ended: last ? describeOutcome(last, acts, bought) : 'Nothing is recorded',
  };
};
