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
  getOfferedName,
  getPayment,
  findRunning,
  getScreen,
} from './screen.ts';
import { formatCredits, formatTaxPlace, formatPrice, formatShortClock } from './text.ts';

/**
 * The first lines for support: the customer, the purchases, the last screen, the first failure, and
 * the end.
 */
export type Summary = { who: string; what: string[]; sawLast: string; wentWrong: string; ended: string };

/** The outcome of a purchase, as far as the record shows it. */
type Outcome = 'paid' | 'cancelled' | 'not paid' | 'not known' | 'subscribed' | 'used' | null;

/**
 * `by` is the means if there is no transaction, `gives` names the grant if there is no title;
 * `credits` were paid instead of money; `taxed` is the tax added to the price on the title's page.
 */
type Purchase = {
  title: string | null;
  price: Price | null;
  credits?: Price | null;
  taxed?: string | null;
  transId: string | null;
  isOver: boolean;
  end: Outcome;
  by?: string;
  gives?: string | null;
  /** The day on which a gift is sent, empty for at once; null if no receipt shows it. */
  day?: string | null;
};

const getTitleText = ({ title, gives }: Purchase): string | null => (title === null ? (gives ?? null) : `“${title}”`);

/** The users of the sessions in order; null for a visitor's. */
const getSessions = ({ positions }: Player): (string | null)[] =>
  positions
    .map(({ moment }) => getCustomer(moment.actors))
    .filter((id) => id !== undefined)
    .filter((id, at, all) => at === 0 || id !== all[at - 1]);

const describeCustomer = (player: Player, acts: readonly NarrativeLine[]): string => {
  const sessions = getSessions(player);
  const ids = [...new Set(sessions.filter((id) => id !== null))];
  if (ids.length === 0) return 'A visitor, not signed in';
  const wasVisitor = sessions[0] === null;
  const signIn = acts.find(({ text }) => /(?:is|now) signed in/.test(text));
  const isSame = ids.length === 1 ? ', the same customer' : '';
  const laterSignIn = signIn === undefined ? '' : `; again at ${formatShortClock(signIn.at)}${isSame}`;
  const sinceVisitor = signIn ? `, signed in at ${formatShortClock(signIn.at)}` : ', whose sign-in is not in this record';
  const since = wasVisitor ? sinceVisitor : `, signed in when the visit began${laterSignIn}`;
  return `Customer ${ids.join(', then customer ')}${since}`;
};

/** The last outcome of each transaction, reported by the server or by the payment machine. */
const findEnds = (positions: readonly Position[]): Map<string, Outcome> => {
  const ends = new Map<string, Outcome>();
  const serverOutcomes: Readonly<Record<string, Outcome>> = { cancelled: 'cancelled', failed: 'not paid', paid: 'paid' };
  const machineOutcomes: Readonly<Record<string, Outcome>> = {
    cancelled: 'cancelled',
    failed: 'not paid',
    succeeded: 'paid',
    unknown: 'not known',
  };
  for (const { recorded, moment } of positions) {
    const { status, transId } = getOutput(recorded.input);
    if (typeof transId === 'string' && typeof status === 'string')
      ends.set(transId, serverOutcomes[status] ?? ends.get(transId) ?? null);
    for (const name of Object.keys(moment.actors)) {
      const payment = /\/payment(~\d+)?$/.test(name) ? getMachineSnapshot(moment.actors, name) : null;
      const id = getContext(payment)['transId'];
      const end = payment && typeof payment.value === 'string' ? machineOutcomes[payment.value] : undefined;
      if (typeof id === 'string' && id !== '' && end !== undefined) ends.set(id, end);
    }
  }
  return ends;
};

/** The outcome of a plan's purchase, by the states of its machines. */
const planEnds: Readonly<Record<string, Readonly<Record<string, Outcome>>>> = {
  payment: { actionRequired: null, charging: null, confirming: null, reconciling: null, unknown: 'not known' },
  purchase: { failed: 'not paid', cancelled: 'cancelled', succeeded: 'subscribed' },
  receipt: { subscribed: 'subscribed' },
};

/** Whether the flow is about a subscription. */
const isPlanFlow = (flow: AnyMachineSnapshot): boolean => {
  const { of, isOfPlan: isPlanReceipt } = getContext(flow);
  return of === 'subscription' || isPlanReceipt === true;
};

/** The purchase of a subscription that a flow shows, with its outcome; null for other flows. */
const getSubscription = (flow: AnyMachineSnapshot): (Pick<Purchase, 'title' | 'end'> & { key: string; by: string }) | null => {
  const { plan, subscription } = getContext(flow);
  const ends = planEnds[flow.machine.id] ?? {};
  const value = String(flow.value);
  if (!isPlanFlow(flow) || !Object.hasOwn(ends, value)) return null;
  const title = getName(subscription) ?? getName(plan);
  return { key: 'subscription', title, end: ends[value] ?? null, by: 'a subscription' };
};

/** A purchase without a transaction: a subscription, or a code. */
const getPurchaseWithoutTransaction = (
  flow: AnyMachineSnapshot,
): (Pick<Purchase, 'title' | 'end' | 'gives'> & { key: string; by: string }) | null => {
  const { id, value } =
    flow.machine.id === 'payment' ? { id: '', value: '' } : { id: flow.machine.id, value: flow.value as unknown };
  const subscription = getSubscription(flow);
  if (subscription !== null) return subscription;
  if (id !== 'redeem' || value !== 'redeemed') return null;
  const { chosen } = getContext(flow);
  const offer = getObject(flow, 'offer');
  const gives = offer?.['kind'] === 'credits' ? formatCredits(offer['credits']) : null;
  return { key: `code ${String(chosen)}`, title: getOfferedName(offer, chosen), gives, end: 'used', by: 'by a code' };
};

/** The tax added to the price: `$0.55 tax of France`. */
const getTaxText = (flow: AnyMachineSnapshot, price: Price | null): string | null => {
  const { place, taxPrice } = getObject(flow, 'tax') ?? {};
  const taxPlace = formatTaxPlace(place);
  if (taxPlace === null || price === null || typeof taxPrice !== 'number' || taxPrice === 0) return null;
  return `${formatPrice({ ...price, amount: taxPrice })} tax of ${taxPlace}`;
};

const getGiftDay = (flow: AnyMachineSnapshot): string | null => {
  const gift = getObject(flow, 'receipt')?.['gift'] as { deliverOn?: unknown } | null | undefined;
  return typeof gift?.deliverOn === 'string' ? gift.deliverOn : null;
};

/**
 * Intended purchases, in the order in which their payments started; the last title that was only
 * viewed, if there are no others.
 */
const findPurchases = ({ positions }: Player): Purchase[] => {
  const purchases = new Map<string, Purchase>();
  const ends = findEnds(positions);
  let viewedPurchase: Purchase | null = null;
  /**
   * Codes for credits are counted, since no title distinguishes them: a code can be viewed
   * repeatedly but is used once.
   */
  let [codeCount, isRedeeming] = [0, false];
  /**
   * The last payment in progress: a receipt does not show the means of payment, or whether it is a
   * gift.
   */
  let lastPayment: { credits: Price | null; isGift: boolean } | null = null;
  for (const { moment } of positions) {
    const payment = getPayment(moment.actors);
    if (payment) lastPayment = { ...payment, isGift: isGiftPurchase(moment.actors) };
    const screen = getScreen(moment.actors);
    const flow = findRunning(moment.actors, /^root\/screen(~\d+)?\/flow(~\d+)?(\/payment(~\d+)?)?$/)?.snapshot;
    if (!screen || !flow) continue;
    const purchase = getPurchaseWithoutTransaction(flow);
    if (purchase?.end === 'used' && (isRedeeming || codeCount === 0)) codeCount += 1;
    isRedeeming = flow.machine.id === 'redeem' && flow.value === 'redeeming';
    if (purchase) {
      const { end, by, gives } = purchase;
      const key = gives === null || gives === undefined ? purchase.key : `code ${codeCount}`;
      const knownPurchase = purchases.get(key);
      const { transId: contextTransId } = getContext(flow);
      const transId =
        typeof contextTransId === 'string' && contextTransId !== '' ? contextTransId : (knownPurchase?.transId ?? null);
      const title = purchase.title ?? screen.title ?? knownPurchase?.title ?? null;
      const price = by === 'by a code' ? null : (screen.price ?? knownPurchase?.price ?? null);
      purchases.set(key, { title, price, transId, isOver: false, end: end ?? knownPurchase?.end ?? null, by, gives });
      continue;
    }
    const { transId } = getContext(flow);
    if (screen.title !== null)
      viewedPurchase = { title: screen.title, price: screen.price, transId: null, isOver: false, end: null };
    if (typeof transId !== 'string' || transId === '' || isPlanFlow(flow)) continue;
    const knownPurchase = purchases.get(transId);
    // After the return from the payment page, the shop knows only the title's id until the receipt
    // has loaded.
    const title = screen.title ?? knownPurchase?.title ?? null;
    const end = ends.get(transId) ?? null;
    const isOver = end === 'cancelled' || end === 'not paid';
    const price = screen.price ?? knownPurchase?.price ?? null;
    const credits = knownPurchase ? knownPurchase.credits : lastPayment?.credits;
    const isGift =
      isGiftPurchase(moment.actors) || (knownPurchase ? knownPurchase.by !== undefined : lastPayment?.isGift === true);
    const taxed = getTaxText(flow, screen.price) ?? knownPurchase?.taxed;
    const day = getGiftDay(flow) ?? knownPurchase?.day ?? null;
    purchases.set(transId, { title, price, credits, taxed, transId, isOver, end, ...(isGift && { by: 'a gift', day }) });
  }
  return purchases.size > 0 ? [...purchases.values()] : viewedPurchase ? [viewedPurchase] : [];
};

const endTexts: Readonly<Record<NonNullable<Outcome>, string>> = {
  paid: 'paid',
  cancelled: 'cancelled, and nothing was charged',
  'not paid': 'not paid',
  'not known': 'not known yet whether it was paid',
  subscribed: 'subscribed',
  used: 'the code was used',
};

const describeGift = (day: string | null | undefined): string => {
  if (day === null || day === undefined) return 'the gift is on its way, or goes out on the day that was chosen';
  return day === '' ? 'the gift is on its way' : `the gift goes out on ${day}`;
};

const describeEnd = ({ title, end, by, day }: Purchase): string => {
  if (end === null) return 'not paid';
  if (end === 'used' && title !== null) return 'the customer has it, for the code';
  return end === 'paid' && by === 'a gift' ? `paid, and ${describeGift(day)}` : endTexts[end];
};

const formatCost = (price: Price, { taxed, inCredits }: { taxed: string | null | undefined; inCredits: boolean }): string => {
  if (inCredits) return `${formatPrice(price)} and no money`;
  return taxed == null ? formatPrice(price) : `${formatPrice(price)} with ${taxed}`;
};

const describePurchases = (purchases: readonly Purchase[]): string[] => {
  const lines = purchases.map((each) => {
    const { price: inMoney, credits, taxed, transId, isOver, by } = each;
    const price = credits ?? inMoney;
    return [
      getTitleText(each) ?? 'A title that the record does not name',
      ...(price ? [formatCost(price, { taxed, inCredits: Boolean(credits) })] : []),
      ...(by === undefined ? [] : [by]),
      ...(transId === null && by === undefined ? ['no payment was begun'] : []),
      // A cancelled purchase has no order number, since its customer has never seen one.
      ...(transId === null || isOver ? [] : [`order ${formatOrderNumber(transId)}`]),
      ...(transId === null ? [] : [`transaction ${transId}`]),
    ].join(', ');
  });
  return lines.length === 0 ? ['No title was looked at'] : lines;
};

const isPaid = ({ text }: NarrativeLine): boolean => /(is|are) taken|in the library$|is on its way$/.test(text);
const hasSubscribed = ({ text }: NarrativeLine): boolean => text.startsWith('The subscription has begun');
const isCancelled = ({ text, shows }: NarrativeLine): boolean =>
  text.startsWith('The payment was cancelled') || (shows?.startsWith('“Purchase cancelled”') ?? false);

/** The outcome of payments and failures. */
const describeOutcome = (last: Position, acts: readonly NarrativeLine[], purchases: readonly Purchase[]): string => {
  const startedPurchases = purchases.filter(({ transId, by }) => transId !== null || by !== undefined);
  const startedCount = startedPurchases.length;
  const payment = findRunning(last.moment.actors, /\/payment(~\d+)?$/)?.snapshot.value as unknown;
  const lastResult = acts.findLast((act) => isPaid(act) || hasSubscribed(act) || isCancelled(act));
  const failure = acts.findLast(isWrong);
  const hasLaterSuccess = acts
    .slice(failure ? acts.indexOf(failure) + 1 : 0)
    .some(({ kind, shows }) => kind === 'works' || shows !== null);
  const failureText = failure && !hasLaterSuccess && failure.shows === null ? `; not solved: ${failure.text}` : '';
  if (isLeaving(last.moment.actors)) return 'Went to the payment page and is not back in this record: look the transaction up';
  if (payment === 'unknown') return 'Not known yet whether the payment went through: the shop goes on asking';
  // Several purchases are listed with an outcome each.
  if (startedCount > 1 && startedPurchases.some(({ end }) => end !== 'paid'))
    return `${startedPurchases.map((each) => `${getTitleText(each) ?? 'what the record does not name'}: ${describeEnd(each)}`).join('; ')}${failureText}`;
  if (purchases[0]?.end === 'subscribed') return `Subscribed${failureText}`;
  if (purchases[0]?.end === 'used') return `The code was used, and what it gives is the customer’s${failureText}`;
  const payments = Math.min(acts.filter(isPaid).length, startedCount);
  const paidText =
    purchases[0]?.by === 'a gift'
      ? `Paid, and ${describeGift(purchases[0].day)}`
      : payments > 1
        ? `${payments} payments taken, and the titles are in the library`
        : 'Paid, and the title is in the library';
  if (lastResult && hasSubscribed(lastResult)) return `Subscribed${failureText}`;
  if (lastResult) return `${isPaid(lastResult) ? paidText : 'Cancelled, and nothing was charged'}${failureText}`;
  return `${startedCount > 0 ? 'Not paid' : 'Nothing was bought'}${failureText}`;
};

const getLastScreen = (acts: readonly NarrativeLine[]): string =>
  acts.findLast(({ shows }) => shows !== null)?.shows ?? 'no screen yet';

const describeFailures = (acts: readonly NarrativeLine[]): string => {
  const [first, ...laterFailures] = acts.filter(isWrong);
  if (!first) return 'Nothing that the shop knows of';
  const last = laterFailures.at(-1);
  const lastLabel = laterFailures.length > 1 ? `the last of ${laterFailures.length + 1}` : 'then';
  // The first failure may be solved by now; the last one may be the reason for the request to
  // support.
  const lastText = last === undefined ? '' : `; ${lastLabel}, at ${formatShortClock(last.at)}: ${last.text}`;
  return `At ${formatShortClock(first.at)}: ${first.text}${lastText}`;
};

export const createSummary = (player: Player, acts: readonly NarrativeLine[], duration: number): Summary => {
  const last = player.positions.at(-1);
  const purchases = findPurchases(player);
  return {
    who: describeCustomer(player, acts),
    what: describePurchases(purchases),
    sawLast: `${getLastScreen(acts)}, at ${formatShortClock(duration)}`,
    wentWrong: describeFailures(acts),
    ended: last ? describeOutcome(last, acts, purchases) : 'Nothing is recorded',
  };
};
