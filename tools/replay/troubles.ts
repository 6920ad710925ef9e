import type { AnyMachineSnapshot, Snapshot } from 'xstate';
import { isProblem, type Problem } from '../../machines/model/problem.ts';
import type { Input, Plain } from '../../machines/trace/format.ts';
import type { Position } from '../../machines/trace/player.ts';
import { descriptionOf, ownProperty } from './descriptions.ts';
import { declineText, isRefusal, reasonText, type Place } from './reasons.ts';
import { contextOf, machineIn, objectIn, runningIn } from './screen.ts';
import { idOf } from './story.ts';

type Actors = Readonly<Record<string, Snapshot<unknown>>>;

/** The problem that a machine keeps, of those whose screens say it. */
const problemOf = (snapshot: AnyMachineSnapshot): Problem | null => {
  const { problem, skipped } = contextOf(snapshot);
  const { id } = snapshot.machine;
  const kept = id === 'wishes' ? objectIn(snapshot, 'failure')?.['problem'] : id === 'notices' ? skipped : problem;
  return isProblem(kept) ? kept : null;
};

/** Screens that have come to an end without a problem of their own. */
const deadEnds: Readonly<Record<string, string>> = {
  'screen.unfetched': 'a part of the page could not be loaded: “Loading failed! Please reload.”',
  'title.notFound': 'the shop has no such title',
  'page.notFound': 'the shop has no such page',
  'catalogue.notFound': 'the shop has no such category',
  'purchase.notFound': 'the shop has no such title or subscription',
  'purchase.paymentNotFound': 'the shop has no such payment',
  'purchase.notOffered': 'the shop does not offer that',
  'purchase.notForSale': 'it is not for sale, or there is nothing in the cart to pay for',
  'purchase.priceChanged': 'the price has changed since the customer saw it; nothing was charged',
  'receipt.notFound': 'the shop has no such receipt',
  'viewer.notOwned': 'the customer does not own the title',
  'viewer.notFound': 'there is nothing to read at this address',
  'app.invalid': 'the server does not know the store',
};

/** Dead ends that are a fault; the others say no. */
const faults: ReadonlySet<string> = new Set(['screen.unfetched', 'app.invalid']);

/** What is not as the customer wanted it: something does not work, or somebody says no. */
export type Bad = { kind: 'fails' | 'refuses'; text: string };

/** What is wrong with what a customer sees, by the actor that it is wrong with. */
type Trouble = Bad & { actor: string };

/** What a machine had asked for that the step settles. */
const askedIn = ({ input }: Position['recorded'], actor: string, machine: string): Omit<Place, 'machine'> => {
  if (input.kind !== 'settled' || input.to !== actor) return {};
  const call = idOf(input.from);
  return { call, asked: ownProperty(descriptionOf.get(machine)?.asks, call) };
};

const isSeen = (name: string): boolean => /^root(\/(boot|screen|frame\/wishes)|$)/.test(name);

/** The troubles of a moment: problems that machines keep, and dead ends. */
const troublesIn = ({ moment: { actors }, recorded }: Position): Trouble[] =>
  Object.keys(actors).flatMap((actor): Trouble[] => {
    const snapshot = isSeen(actor) ? machineIn(actors, actor) : null;
    if (!snapshot || snapshot.status === 'stopped') return [];
    const { machine } = snapshot;
    const problem = problemOf(snapshot);
    // The payment has reported this to the purchase before.
    if (problem && !(machine.id === 'purchase' && snapshot.value === 'failed'))
      return [
        {
          actor,
          kind: isRefusal(problem) ? 'refuses' : 'fails',
          text: reasonText(problem, { machine: machine.id, ...askedIn(recorded, actor, machine.id) }),
        },
      ];
    return (snapshot._nodes as { id: string }[]).flatMap(({ id }): Trouble[] => {
      const text = ownProperty(deadEnds, id);
      return text === undefined ? [] : [{ actor, kind: faults.has(id) ? 'fails' : 'refuses', text }];
    });
  });

/** Tells an actor’s troubles of the step before from those that are new. */
const isNew = (before: readonly Trouble[], { input }: Position['recorded'], { actor, text }: Trouble): boolean => {
  const known = before.find((each) => each.actor === actor);
  const again = input.kind === 'settled' && 'error' in input.event && input.to === actor;
  // A step tells what was asked for besides, or no longer does: the reason is the same.
  return known === undefined || again || !(known.text.startsWith(text) || text.startsWith(known.text));
};

/** What went wrong in a step, with reasons in words; `before` is the position before it in the same run. */
export const newTroubles = (position: Position, before: Position | undefined): Bad[] => {
  const known = before ? troublesIn(before) : [];
  return troublesIn(position)
    .filter((trouble) => isNew(known, position.recorded, trouble))
    .map(({ kind, text }) => ({ kind, text }));
};

/** The server no longer knew the session. */
export const sessionEnded = (actors: Actors): boolean =>
  contextOf(runningIn(actors, /^root\/session$/)?.snapshot)['ended'] === true;

type Output = { status?: Plain; reason?: Plain; url?: Plain; transId?: Plain };

/** What the server answered. */
export const outputIn = (input: Input): Output => {
  const output = input.kind === 'settled' ? input.event['output'] : null;
  return typeof output === 'object' && output !== null && !Array.isArray(output) ? output : {};
};

/** Whether the answer to a confirmation was lost: nobody here knows then what came of it. */
export const isLostConfirmation = (input: Input): boolean =>
  input.kind === 'settled' && 'error' in input.event && idOf(input.from) === 'confirmPayment';

/**
 * What the server told of a payment, a subscription, a code or a title that costs nothing; `lost` where a payment has been confirmed and
 * the answer to that was lost, `free` where the title on the screen is, `credits` where these are given in place of money, `gift` where it is for somebody else, `cart` where it may be
 * several titles, `plan` where it is a subscription.
 */
export const paymentNews = (
  input: Input,
  { lost, free, credits, gift, cart, plan }: Record<'lost' | 'free' | 'credits' | 'gift' | 'cart' | 'plan', boolean>,
): Bad | { kind: 'works' | 'does'; text: string } | null => {
  if (input.kind !== 'settled' || 'error' in input.event) return null;
  const [asked, { status, reason, url }] = [idOf(input.from), outputIn(input)];
  const came = gift ? 'the gift is on its way' : `${cart ? 'what was in the cart' : 'the title'} is in the library`;
  if (asked === 'confirmPayment' && plan) return { kind: 'works', text: 'The subscription has begun, and its payment is taken' };
  if (asked === 'confirmPayment') return { kind: 'works', text: `The payment is taken, and ${came}` };
  if (asked === 'startPayment' && url === '')
    return { kind: 'works', text: `${credits ? 'The credits are taken' : 'Nothing is to be paid'}, and ${came}` };
  if (asked === 'grant')
    return { kind: 'works', text: free ? 'The free title is in the library' : 'The subscription opens the title' };
  if (asked === 'redeem') return { kind: 'works', text: 'The code is used, and what it gives is the customer’s' };
  if (!/^(paymentStatus|statusBeforeCancel)$/.test(asked)) return null;
  if (status === 'paid') {
    const by = lost ? 'it had got the confirmation' : 'another tab or device had confirmed it';
    return { kind: 'works', text: `The payment is taken, says the server: ${by}, or word from the payment page` };
  }
  if (typeof reason === 'string' && (status === 'authorized' || status === 'pending')) {
    const after = status === 'authorized' ? ', before another try was accepted' : '';
    return { kind: 'refuses', text: `${declineText(reason)}${after}` };
  }
  return status === 'cancelled'
    ? { kind: 'does', text: 'The payment was cancelled at the payment page (the shop cannot see by whom); nothing was charged' }
    : null;
};
