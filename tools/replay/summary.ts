import type { Player, Position } from '../../machines/trace/player.ts';
import { shortNumber } from '../../machines/model/order-number.ts';
import type { Price } from '../../machines/model/title.ts';
import { isWrong, type Act } from './acts.ts';
import { outputIn } from './troubles.ts';
import { contextOf, customerIn, isAway, objectIn, priceText, runningIn, screenIn } from './screen.ts';
import { shortClockText } from './text.ts';

/** The first lines for support: who, what was bought, what was seen last, what went wrong first, and how it ended. */
export type Summary = { who: string; what: string[]; sawLast: string; wentWrong: string; ended: string };

type Bought = { title: string | null; price: Price | null; transId: string | null; isOver: boolean };

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
  const came = acts.find(({ text }) => text.includes('is signed in'));
  const isSame = ids.length === 1 ? ', the same customer' : '';
  const again = came === undefined ? '' : `; again at ${shortClockText(came.at)}${isSame}`;
  const since = wasVisitor ? came && `, signed in at ${shortClockText(came.at)}` : `, signed in when the visit began${again}`;
  return `Customer ${ids.join(', then customer ')}${since ?? ''}`;
};

/** The transactions that came to nothing, by what the server said of them last. */
const paymentsOver = (positions: readonly Position[]): Set<string> => {
  const last = new Map<string, unknown>();
  for (const { recorded } of positions) {
    const { status, transId } = outputIn(recorded.input);
    if (typeof transId === 'string' && typeof status === 'string') last.set(transId, status);
  }
  return new Set([...last].filter(([, status]) => status === 'cancelled' || status === 'failed').map(([transId]) => transId));
};

/** What was to be bought, in the order in which its payment began; what has no transaction yet is there only when nothing else is. */
const purchases = ({ positions }: Player): Bought[] => {
  const found = new Map<string, Bought>();
  const over = paymentsOver(positions);
  let looked: Bought | null = null;
  for (const { moment } of positions) {
    const screen = screenIn(moment.actors);
    const flow = runningIn(moment.actors, /^root\/screen(~\d+)?\/flow(~\d+)?(\/payment(~\d+)?)?$/)?.snapshot;
    if (!screen || !flow) continue;
    const { transId: begun } = contextOf(flow);
    // A subscription is known by its own number, once its payment has begun.
    const transId = begun ?? objectIn(flow, 'returned')?.['subscriptionId'];
    if (screen.title !== null) looked = { title: screen.title, price: screen.price, transId: null, isOver: false };
    if (typeof transId !== 'string' || transId === '') continue;
    const known = found.get(transId);
    // Back from the payment page the shop knows the title by its number alone, until the receipt has come.
    const title = screen.title ?? known?.title ?? null;
    found.set(transId, { title, price: screen.price ?? known?.price ?? null, transId, isOver: over.has(transId) });
  }
  return found.size > 0 ? [...found.values()] : looked ? [looked] : [];
};

const whatOf = (bought: readonly Bought[]): string[] => {
  const all = bought.map(({ title, price, transId, isOver }) =>
    [
      title === null ? 'A title that the record does not name' : `“${title}”`,
      ...(price ? [priceText(price)] : []),
      ...(transId === null ? ['no payment was begun'] : []),
      // What was cancelled is no order: its customer has never seen a number.
      ...(transId === null || isOver ? [] : [`order ${shortNumber(transId)}`]),
      ...(transId === null ? [] : [`transaction ${transId}`]),
    ].join(', '),
  );
  return all.length === 0 ? ['No title was looked at'] : all;
};

const isPaid = ({ text }: Act): boolean => /is taken|in the library$/.test(text);
const hasSubscribed = ({ text }: Act): boolean => text.startsWith('The subscription has begun');
const isCancelled = ({ text, shows }: Act): boolean =>
  text.startsWith('The payment was cancelled') || (shows?.startsWith('“Purchase cancelled”') ?? false);

/** What became of the money, and of what went wrong. */
const outcomeOf = (last: Position, acts: readonly Act[], begun: number): string => {
  const payment = runningIn(last.moment.actors, /\/payment(~\d+)?$/)?.snapshot.value as unknown;
  const end = acts.findLast((act) => isPaid(act) || hasSubscribed(act) || isCancelled(act));
  const failure = acts.findLast(isWrong);
  const later = acts.slice(failure ? acts.indexOf(failure) + 1 : 0).some(({ kind, shows }) => kind === 'works' || shows !== null);
  const trouble = failure && !later && failure.shows === null ? `; not solved: ${failure.text}` : '';
  if (isAway(last.moment.actors)) return 'Went to the payment page and is not back in this record: look the transaction up';
  if (payment === 'unknown') return 'Not known yet whether the payment went through: the shop goes on asking';
  const payments = Math.min(acts.filter(isPaid).length, begun);
  const paid =
    payments > 1 ? `${payments} payments taken, and the titles are in the library` : 'Paid, and the title is in the library';
  if (end && hasSubscribed(end)) return `Subscribed${trouble}`;
  if (end) return `${isPaid(end) ? paid : 'Cancelled, and nothing was charged'}${trouble}`;
  return `${begun > 0 ? 'Not paid' : 'Nothing was bought'}${trouble}`;
};

const lastScreen = (acts: readonly Act[]): string => acts.findLast(({ shows }) => shows !== null)?.shows ?? 'no screen yet';

const wrongOf = (acts: readonly Act[]): string => {
  const [first, ...others] = acts.filter(isWrong);
  if (!first) return 'Nothing that the shop knows of';
  const last = others.at(-1);
  const all = others.length > 1 ? ` (${others.length + 1} in all)` : '';
  // What began it may be solved by now; what came last may be what the customer writes about.
  const then = last === undefined ? '' : `; last, at ${shortClockText(last.at)}: ${last.text}${all}`;
  return `At ${shortClockText(first.at)}: ${first.text}${then}`;
};

export const summaryOf = (player: Player, acts: readonly Act[], duration: number): Summary => {
  const last = player.positions.at(-1);
  const bought = purchases(player);
  const begun = bought.filter(({ transId }) => transId !== null).length;
  return {
    who: whoOf(player, acts),
    what: whatOf(bought),
    sawLast: `${lastScreen(acts)}, at ${shortClockText(duration)}`,
    wentWrong: wrongOf(acts),
    ended: last ? outcomeOf(last, acts, begun) : 'Nothing is recorded',
  };
};
