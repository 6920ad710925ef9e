import type { PendingSignIn, providerReturnMachine } from '../../../account/provider-return.ts';
import { readAfterSignIn, nextAfterSignIn } from '../../../model/account/after-sign-in.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import { parsePath } from '../../route-at.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, leadsTo, onlyAfter } = rulesFor<typeof providerReturnMachine>();

const endStates = ['cancelled', 'over', 'passwordNeeded', 'failed'] as const;

/** The state for each refusal; any other failure is shown as it is. */
const endByCode: Record<string, (typeof endStates)[number]> = {
  provider_cancelled: 'cancelled',
  sign_in_over: 'over',
  email_unverified: 'passwordNeeded',
};

/** The steps in which the shop may navigate without a press on the way back to sign-in. */
const canNavigate = ({ event, before }: { event: { type: string }; before: { value: unknown } | null }): boolean =>
  event.type === 'xstate.done.actor.takeAnswer' ||
  event.type === 'xstate.done.actor.joinProvider' ||
  event.type === 'xstate.done.actor.finishSignIn' ||
  (event.type === 'again.pressed' && before?.value === 'notJoined');

export const rules: Record<string, MachineRules> = {
  providerReturn: {
    rules: [
      leadsTo('whoever comes back is let in, or told why not', {
        after: ({ event }) => event.type === 'xstate.init',
        to: ({ snapshot }) => !(['taking', 'finishing', 'joining'] as const).some((each) => snapshot.matches(each)),
      }),
      onlyAfter('nobody is welcomed whom the server has not let in', {
        cause: (moment) => moment.snapshot.context.signedIn || getPortOutput(moment, 'finishSignIn') !== undefined,
        what: ({ snapshot }) => snapshot.matches('welcomed'),
      }),
      always('the shop hears who has signed in, and nothing else', (moment) => {
        const customer = getPortOutput<{ userId: string }>(moment, 'finishSignIn');
        const told = getSentEvents(moment, 'session.started').map(({ userId }) => userId);
        return JSON.stringify(told) === JSON.stringify(customer ? [customer.userId] : []);
      }),
      always('each reason has a screen of its own, and what is not foreseen is said', (moment) => {
        const problem = getPortProblem(moment, 'finishSignIn');
        if (problem === null) return true;
        const end = (problem.kind === 'refused' ? endByCode[problem.code] : undefined) ?? 'failed';
        return moment.snapshot.matches(end) && (end === 'failed') === (moment.snapshot.context.problem !== null);
      }),
      always(
        'the address is emptied of what the provider said as soon as that is taken, and still says where to go on',
        (moment) => {
          // A customer who is signed in already and started no sign-in here is redirected at once.
          if (moment.event.type !== 'xstate.done.actor.takeAnswer' || moment.snapshot.matches('welcomed')) return true;
          const { path, action } = moment.snapshot.context.way;
          const told = getSentEvents(moment, 'go').map(({ to }) => parsePath(String(to)));
          return (
            told.length === 1 &&
            told.every(({ flow, query }) => {
              return (
                flow === 'providerReturn' && readAfterSignIn(query).path === path && readAfterSignIn(query).action === action
              );
            })
          );
        },
      ),
      onlyAfter('the server is asked when the address has been emptied', {
        cause: (moment) => getSentEvents(moment, 'go').length > 0,
        what: (moment) =>
          getPortInput(moment, 'finishSignIn') !== undefined || getPortInput(moment, 'joinProvider') !== undefined,
      }),
      always('the way back to signing in still leads to where the customer wanted to go', (moment) => {
        const isPressed = moment.event.type === 'again.pressed' && endStates.some((end) => moment.before?.matches(end) === true);
        if (!isPressed) return canNavigate(moment) || getSentEvents(moment, 'go').length === 0;
        const { path, action } = moment.snapshot.context.way;
        const [route] = getSentEvents(moment, 'go').map(({ to }) => parsePath(String(to)));
        const next = readAfterSignIn(route?.query ?? {});
        return route?.flow === 'signIn' && next.path === path && next.action === action;
      }),
      always('what the provider says is taken for the way that was begun', (moment) => {
        const begun = getPortOutput<PendingSignIn | null>(moment, 'takeAnswer');
        const way = begun && { path: begun.path, action: begun.action };
        return !way || JSON.stringify(moment.snapshot.context.way) === JSON.stringify(way);
      }),
      always('what was begun to join a provider signs nobody in, and what was begun to sign in joins nothing', (moment) => {
        if (moment.event.type !== 'xstate.done.actor.takeAnswer') return true;
        const joins = getPortOutput<PendingSignIn | null>(moment, 'takeAnswer')?.joins === true;
        return moment.snapshot.matches('joining') === joins && (!joins || getPortInput(moment, 'finishSignIn') === undefined);
      }),
      always('what was not joined is said, and the way back is the account', (moment) => {
        const { before, event, snapshot } = moment;
        if (getPortProblem(moment, 'joinProvider') !== null)
          return snapshot.matches('notJoined') && snapshot.context.problem !== null;
        const isBack = event.type === 'again.pressed' && before?.matches('notJoined') === true;
        return !isBack || getSentEvents(moment, 'go').every(({ to }) => to === snapshot.context.way.path);
      }),
      always('whom the store still asks something goes on there first, and then to where they wanted', (moment) => {
        const customer = getPortOutput<{ asks?: true }>(moment, 'finishSignIn');
        if (customer === undefined) return true;
        const told = getSentEvents(moment, 'go').map(({ to }) => nextAfterSignIn(parsePath(String(to)).query));
        if (customer.asks !== true) return told.length === 0;
        const { path, action } = moment.snapshot.context.way;
        const next = readAfterSignIn(parsePath(told[0]?.path ?? '').query);
        return parsePath(told[0]?.path ?? '').flow === 'questions' && next.path === path && next.action === action;
      }),
      always('whoever has joined a provider goes on to where they began', (moment) => {
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
