import type { PendingSignIn, providerReturnMachine } from '../../../account/provider-return.ts';
import { readAfterSignIn, nextAfterSignIn } from '../../../model/account/after-sign-in.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import { parsePath } from '../../route-at.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { isSameJson } from '../../../same-json.ts';

const { always, leadsTo, onlyAfter } = rulesFor<typeof providerReturnMachine>();

const endStates = ['cancelled', 'over', 'passwordNeeded', 'failed'] as const;

/** The state for each code of a refusal; any other problem leads to `failed`. */
const endByCode: Record<string, (typeof endStates)[number]> = {
  provider_cancelled: 'cancelled',
  sign_in_over: 'over',
  email_unverified: 'passwordNeeded',
};

/** Whether the app may navigate in this step without a press on the link back to sign-in. */
const canNavigate = ({ event, before }: { event: { type: string }; before: { value: unknown } | null }): boolean =>
  event.type === 'xstate.done.actor.consumeAnswer' ||
  event.type === 'xstate.done.actor.joinProvider' ||
  event.type === 'xstate.done.actor.finishSignIn' ||
  (event.type === 'again.pressed' && before?.value === 'notJoined');

export const rules: Record<string, MachineRules> = {
  providerReturn: {
    rules: [
      leadsTo('every return from a provider reaches an outcome', {
        after: ({ event }) => event.type === 'xstate.init',
        to: ({ snapshot }) => !(['taking', 'finishing', 'joining'] as const).some((each) => snapshot.matches(each)),
      }),
      onlyAfter('the welcome appears only for a customer whom the server has signed in', {
        cause: (moment) => moment.snapshot.context.signedIn || getPortOutput(moment, 'finishSignIn') !== undefined,
        what: ({ snapshot }) => snapshot.matches('welcomed'),
      }),
      always('a sign-in, and nothing else, sends session.started with its user id', (moment) => {
        const customer = getPortOutput<{ userId: string }>(moment, 'finishSignIn');
        const sentUserIds = getSentEvents(moment, 'session.started').map(({ userId }) => userId);
        return isSameJson(sentUserIds, customer ? [customer.userId] : []);
      }),
      always('each expected refusal has its own screen, and any other problem is shown', (moment) => {
        const problem = getPortProblem(moment, 'finishSignIn');
        if (problem === null) return true;
        const endState = (problem.kind === 'refused' ? endByCode[problem.code] : undefined) ?? 'failed';
        return moment.snapshot.matches(endState) && (endState === 'failed') === (moment.snapshot.context.problem !== null);
      }),
      always('the provider’s parameters leave the URL once they are read, and the destination stays in it', (moment) => {
        // A signed-in customer without a pending sign-in in this tab is redirected at once.
        if (moment.event.type !== 'xstate.done.actor.consumeAnswer' || moment.snapshot.matches('welcomed')) return true;
        const { path, action } = moment.snapshot.context.way;
        const routes = getSentEvents(moment, 'go').map(({ to }) => parsePath(String(to)));
        return (
          routes.length === 1 &&
          routes.every(({ flow, query }) => {
            return flow === 'providerReturn' && readAfterSignIn(query).path === path && readAfterSignIn(query).action === action;
          })
        );
      }),
      onlyAfter('the server is called only after the provider’s parameters have left the URL', {
        cause: (moment) => getSentEvents(moment, 'go').length > 0,
        what: (moment) =>
          getPortInput(moment, 'finishSignIn') !== undefined || getPortInput(moment, 'joinProvider') !== undefined,
      }),
      always('the link back to sign-in keeps the customer’s destination', (moment) => {
        const isPressed = moment.event.type === 'again.pressed' && endStates.some((end) => moment.before?.matches(end) === true);
        if (!isPressed) return canNavigate(moment) || getSentEvents(moment, 'go').length === 0;
        const { path, action } = moment.snapshot.context.way;
        const [route] = getSentEvents(moment, 'go').map(({ to }) => parsePath(String(to)));
        const next = readAfterSignIn(route?.query ?? {});
        return route?.flow === 'signIn' && next.path === path && next.action === action;
      }),
      always('destination and action are those of the pending sign-in', (moment) => {
        const pendingSignIn = getPortOutput<PendingSignIn | null>(moment, 'consumeAnswer');
        const way = pendingSignIn && { path: pendingSignIn.path, action: pendingSignIn.action };
        return !way || isSameJson(moment.snapshot.context.way, way);
      }),
      always('a started connection connects the provider without a sign-in, and nothing else connects it', (moment) => {
        if (moment.event.type !== 'xstate.done.actor.consumeAnswer') return true;
        const isConnection = getPortOutput<PendingSignIn | null>(moment, 'consumeAnswer')?.joins === true;
        return (
          moment.snapshot.matches('joining') === isConnection &&
          (!isConnection || getPortInput(moment, 'finishSignIn') === undefined)
        );
      }),
      always('a failed connection shows its problem, and its link leads back to the account', (moment) => {
        const { before, event, snapshot } = moment;
        if (getPortProblem(moment, 'joinProvider') !== null)
          return snapshot.matches('notJoined') && snapshot.context.problem !== null;
        const isBack = event.type === 'again.pressed' && before?.matches('notJoined') === true;
        return !isBack || getSentEvents(moment, 'go').every(({ to }) => to === snapshot.context.way.path);
      }),
      always('a customer with open questions is led to them, and they keep the destination', (moment) => {
        const customer = getPortOutput<{ asks?: true }>(moment, 'finishSignIn');
        if (customer === undefined) return true;
        const destinations = getSentEvents(moment, 'go').map(({ to }) => nextAfterSignIn(parsePath(String(to)).query));
        if (customer.asks !== true) return destinations.length === 0;
        const { path, action } = moment.snapshot.context.way;
        const next = readAfterSignIn(parsePath(destinations[0]?.path ?? '').query);
        return parsePath(destinations[0]?.path ?? '').flow === 'questions' && next.path === path && next.action === action;
      }),
      always('a connected provider leads back to the page where the connection started', (moment) => {
        if (moment.event.type !== 'xstate.done.actor.joinProvider') return true;
        return (
          getSentEvents(moment, 'go')
            .map(({ to }) => to)
            .join() === moment.snapshot.context.way.path
        );
      }),
    ],
    externalExits: { 'providerReturn.welcomed': 'the app leads to the page that the customer came from' },
  },
};
