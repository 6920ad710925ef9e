import type { BegunWay, providerReturnMachine } from '../../../account/provider-return.ts';
import { afterSignInOf, nextAfterSignIn } from '../../../model/account/after-sign-in.ts';
import { answerOf, askedOf, failureOf, rulesFor, toldOf } from '../../../paths/rules.ts';
import { routeAt } from '../../route-at.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, leadsTo, onlyAfter } = rulesFor<typeof providerReturnMachine>();

const ends = ['cancelled', 'over', 'passwordNeeded', 'failed'] as const;

/** Where each refusal ends; any other failure is said as it is. */
const endOf: Record<string, (typeof ends)[number]> = {
  provider_cancelled: 'cancelled',
  sign_in_over: 'over',
  email_unverified: 'passwordNeeded',
};

/** Where the shop goes elsewhere without a press on the way back to signing in. */
const mayGo = ({ event, before }: { event: { type: string }; before: { value: unknown } | null }): boolean =>
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
        cause: (moment) => moment.snapshot.context.signedIn || answerOf(moment, 'finishSignIn') !== undefined,
        what: ({ snapshot }) => snapshot.matches('welcomed'),
      }),
      always('the shop hears who has signed in, and nothing else', (moment) => {
        const customer = answerOf<{ userId: string }>(moment, 'finishSignIn');
        const told = toldOf(moment, 'session.started').map(({ userId }) => userId);
        return JSON.stringify(told) === JSON.stringify(customer ? [customer.userId] : []);
      }),
      always('each reason has a screen of its own, and what is not foreseen is said', (moment) => {
        const problem = failureOf(moment, 'finishSignIn');
        if (problem === null) return true;
        const end = (problem.kind === 'refused' ? endOf[problem.code] : undefined) ?? 'failed';
        return moment.snapshot.matches(end) && (end === 'failed') === (moment.snapshot.context.problem !== null);
      }),
      always(
        'the address is emptied of what the provider said as soon as that is taken, and still says where to go on',
        (moment) => {
          // Who is signed in already, and has begun nothing here, is led on at once.
          if (moment.event.type !== 'xstate.done.actor.takeAnswer' || moment.snapshot.matches('welcomed')) return true;
          const { path, action } = moment.snapshot.context.way;
          const told = toldOf(moment, 'go').map(({ to }) => routeAt(String(to)));
          return (
            told.length === 1 &&
            told.every(({ flow, query }) => {
              return flow === 'providerReturn' && afterSignInOf(query).path === path && afterSignInOf(query).action === action;
            })
          );
        },
      ),
      onlyAfter('the server is asked when the address has been emptied', {
        cause: (moment) => toldOf(moment, 'go').length > 0,
        what: (moment) => askedOf(moment, 'finishSignIn') !== undefined || askedOf(moment, 'joinProvider') !== undefined,
      }),
      always('the way back to signing in still leads to where the customer wanted to go', (moment) => {
        const isPressed = moment.event.type === 'again.pressed' && ends.some((end) => moment.before?.matches(end) === true);
        if (!isPressed) return mayGo(moment) || toldOf(moment, 'go').length === 0;
        const { path, action } = moment.snapshot.context.way;
        const [route] = toldOf(moment, 'go').map(({ to }) => routeAt(String(to)));
        const next = afterSignInOf(route?.query ?? {});
        return route?.flow === 'signIn' && next.path === path && next.action === action;
      }),
      always('what the provider says is taken for the way that was begun', (moment) => {
        const begun = answerOf<BegunWay | null>(moment, 'takeAnswer');
        const way = begun && { path: begun.path, action: begun.action };
        return !way || JSON.stringify(moment.snapshot.context.way) === JSON.stringify(way);
      }),
      always('what was begun to join a provider signs nobody in, and what was begun to sign in joins nothing', (moment) => {
        if (moment.event.type !== 'xstate.done.actor.takeAnswer') return true;
        const joins = answerOf<BegunWay | null>(moment, 'takeAnswer')?.joins === true;
        return moment.snapshot.matches('joining') === joins && (!joins || askedOf(moment, 'finishSignIn') === undefined);
      }),
      always('what was not joined is said, and the way back is the account', (moment) => {
        const { before, event, snapshot } = moment;
        if (failureOf(moment, 'joinProvider') !== null) return snapshot.matches('notJoined') && snapshot.context.problem !== null;
        const isBack = event.type === 'again.pressed' && before?.matches('notJoined') === true;
        return !isBack || toldOf(moment, 'go').every(({ to }) => to === snapshot.context.way.path);
      }),
      always('whom the store still asks something goes on there first, and then to where they wanted', (moment) => {
        const customer = answerOf<{ asks?: true }>(moment, 'finishSignIn');
        if (customer === undefined) return true;
        const told = toldOf(moment, 'go').map(({ to }) => nextAfterSignIn(routeAt(String(to)).query));
        if (customer.asks !== true) return told.length === 0;
        const { path, action } = moment.snapshot.context.way;
        const next = afterSignInOf(routeAt(told[0]?.path ?? '').query);
        return routeAt(told[0]?.path ?? '').flow === 'questions' && next.path === path && next.action === action;
      }),
      always('whoever has joined a provider goes on to where they began', (moment) => {
        if (moment.event.type !== 'xstate.done.actor.joinProvider') return true;
        return (
          toldOf(moment, 'go')
            .map(({ to }) => to)
            .join() === moment.snapshot.context.way.path
        );
      }),
    ],
    ledOn: { 'providerReturn.welcomed': 'the app leads to the page that the customer came from' },
  },
};
