import type { AnyMachineSnapshot, Snapshot } from 'xstate';
import { isProblem, type Problem } from '../../machines/model/problem.ts';
import type { Input, Plain } from '../../machines/trace/format.ts';
import type { Position } from '../../machines/trace/player.ts';
import { descriptionByMachine, getOwnProperty } from './descriptions.ts';
import { describeDecline, isRefusal, describeReason, type FailureContext } from './reasons.ts';
import { getContext, getMachineSnapshot, getObject, findRunning } from './screen.ts';
import { getActorId } from './event-description.ts';

type Actors = Readonly<Record<string, Snapshot<unknown>>>;

/** The problem in a machine's context that its screen shows; null without a problem. */
const getProblem = (snapshot: AnyMachineSnapshot): Problem | null => {
  const { problem, skipped } = getContext(snapshot);
  const { id } = snapshot.machine;
  const value = id === 'wishes' ? getObject(snapshot, 'failure')?.['problem'] : id === 'notices' ? skipped : problem;
  return isProblem(value) ? value : null;
};

/** Final screens without a `Problem` in the context. */
const finalScreens: Readonly<Record<string, string>> = {
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

/** Final screens that are faults of the shop; the others are refusals. */
const shopFaultStates: ReadonlySet<string> = new Set(['screen.unfetched', 'app.invalid']);

/** A failure from the customer's view: a fault, or a refusal. */
export type Failure = { kind: 'fails' | 'refuses'; text: string };

/** A failure on the customer's screen, with the actor that caused it. */
type ActorFailure = Failure & { actor: string };

/** The call that a step settles, with the requested data; empty if it is not one of the actor's. */
const getCallContext = ({ input }: Position['recorded'], actor: string, machine: string): Omit<FailureContext, 'machine'> => {
  if (input.kind !== 'settled' || input.to !== actor) return {};
  const call = getActorId(input.from);
  return { call, requestedData: getOwnProperty(descriptionByMachine.get(machine)?.asks, call) };
};

const isWatchedActor = (name: string): boolean => /^root(\/(boot|screen|frame\/wishes)|$)/.test(name);

/** The failures at a moment: problems in machines' contexts, and final screens. */
const findFailures = ({ moment: { actors }, recorded }: Position): ActorFailure[] =>
  Object.keys(actors).flatMap((actor): ActorFailure[] => {
    const snapshot = isWatchedActor(actor) ? getMachineSnapshot(actors, actor) : null;
    if (!snapshot || snapshot.status === 'stopped') return [];
    const { machine } = snapshot;
    const problem = getProblem(snapshot);
    // Skips a failed purchase: its payment has already reported the problem.
    if (problem && !(machine.id === 'purchase' && snapshot.value === 'failed'))
      return [
        {
          actor,
          kind: isRefusal(problem) ? 'refuses' : 'fails',
          text: describeReason(problem, { machine: machine.id, ...getCallContext(recorded, actor, machine.id) }),
        },
      ];
    return (snapshot._nodes as { id: string }[]).flatMap(({ id }): ActorFailure[] => {
      const text = getOwnProperty(finalScreens, id);
      return text === undefined ? [] : [{ actor, kind: shopFaultStates.has(id) ? 'fails' : 'refuses', text }];
    });
  });

/** Whether a failure is new, compared with those of the previous step. */
const isNewFailure = (
  previousFailures: readonly ActorFailure[],
  { input }: Position['recorded'],
  { actor, text }: ActorFailure,
): boolean => {
  const previousFailure = previousFailures.find((each) => each.actor === actor);
  const isRepeated = input.kind === 'settled' && 'error' in input.event && input.to === actor;
  // Steps may add or remove the requested data in the text: the reason is the same.
  return (
    previousFailure === undefined ||
    isRepeated ||
    !(previousFailure.text.startsWith(text) || text.startsWith(previousFailure.text))
  );
};

/**
 * New failures of a step, with reasons in words; `previousPosition` is the previous one in the same
 * run.
 */
export const findNewFailures = (position: Position, previousPosition: Position | undefined): Failure[] => {
  const knownFailures = previousPosition ? findFailures(previousPosition) : [];
  return findFailures(position)
    .filter((failure) => isNewFailure(knownFailures, position.recorded, failure))
    .map(({ kind, text }) => ({ kind, text }));
};

/** Whether the server no longer knew the session. */
export const hasSessionEnded = (actors: Actors): boolean =>
  getContext(findRunning(actors, /^root\/session$/)?.snapshot)['ended'] === true;

type Output = { status?: Plain; reason?: Plain; url?: Plain; transId?: Plain };

/** The output of the server's response; empty if the input is not a response with output. */
export const getOutput = (input: Input): Output => {
  const output = input.kind === 'settled' ? input.event['output'] : null;
  return typeof output === 'object' && output !== null && !Array.isArray(output) ? output : {};
};

/**
 * Whether the response to a confirmation was lost: the customer's page then does not know the
 * outcome.
 */
export const isLostConfirmation = (input: Input): boolean =>
  input.kind === 'settled' && 'error' in input.event && getActorId(input.from) === 'confirmPayment';

/**
 * The server's reports about a payment, a subscription, a code or a free title. `lost`: the
 * response to a confirmation was lost; `free`: the title on the screen is free; `credits`: paid in
 * credits; `gift`: for a recipient; `cart`: maybe several titles; `plan`: a subscription.
 */
export const describePayment = (
  input: Input,
  { lost, free, credits, gift, cart, plan }: Record<'lost' | 'free' | 'credits' | 'gift' | 'cart' | 'plan', boolean>,
): Failure | { kind: 'works' | 'does'; text: string } | null => {
  if (input.kind !== 'settled' || 'error' in input.event) return null;
  const [call, { status, reason, url }] = [getActorId(input.from), getOutput(input)];
  const delivery = gift ? 'the gift is on its way' : `${cart ? 'what was in the cart' : 'the title'} is in the library`;
  if (call === 'confirmPayment' && plan) return { kind: 'works', text: 'The subscription has begun, and its payment is taken' };
  if (call === 'confirmPayment') return { kind: 'works', text: `The payment is taken, and ${delivery}` };
  if (call === 'startPayment' && url === '')
    return { kind: 'works', text: `${credits ? 'The credits are taken' : 'Nothing is to be paid'}, and ${delivery}` };
  if (call === 'grant')
    return { kind: 'works', text: free ? 'The free title is in the library' : 'The subscription opens the title' };
  if (call === 'redeem') return { kind: 'works', text: 'The code is used, and what it gives is the customer’s' };
  if (!/^(paymentStatus|statusBeforeCancel)$/.test(call)) return null;
  if (status === 'paid') {
    const confirmedBy = lost ? 'it had got the confirmation' : 'another tab or device had confirmed it';
    return { kind: 'works', text: `The payment is taken, says the server: ${confirmedBy}, or word from the payment page` };
  }
  if (typeof reason === 'string' && (status === 'authorized' || status === 'pending')) {
    const suffix = status === 'authorized' ? ', before another try was accepted' : '';
    return { kind: 'refuses', text: `${describeDecline(reason)}${suffix}` };
  }
  return status === 'cancelled'
    ? { kind: 'does', text: 'The payment was cancelled at the payment page (the shop cannot see by whom); nothing was charged' }
    : null;
};
