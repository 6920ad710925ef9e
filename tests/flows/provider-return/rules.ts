import type { providerReturnMachine } from '../../../machines/account/provider-return.ts';
import { afterSignInOf, type AfterSignIn } from '../../../machines/model/route.ts';
import { answerOf, askedOf, failureOf, rulesFor, toldOf } from '../../../machines/paths/rules.ts';
import { routeAt } from '../../routes/route-at.ts';
import type { MachineRules } from '../../support/rules.ts';

const { always, leadsTo, onlyAfter } = rulesFor<typeof providerReturnMachine>();

const ends = ['cancelled', 'over', 'passwordNeeded', 'failed'] as const;

/** Where each refusal ends; any other failure is said as it is. */
const endOf: Record<string, (typeof ends)[number]> = {
  provider_cancelled: 'cancelled',
  sign_in_over: 'over',
  email_unverified: 'passwordNeeded',
};

export const rules: Record<string, MachineRules> = {
  providerReturn: {
    rules: [
      leadsTo('whoever comes back is let in, or told why not', {
        after: ({ event }) => event.type === 'xstate.init',
        to: ({ snapshot }) => !snapshot.matches('taking') && !snapshot.matches('finishing'),
      }),
      onlyAfter('nobody is welcomed whom the server has not let in', {
        cause: (moment) => answerOf(moment, 'finishSignIn') !== undefined,
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
          if (moment.event.type !== 'xstate.done.actor.takeAnswer') return true;
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
        what: (moment) => askedOf(moment, 'finishSignIn') !== undefined,
      }),
      always('the way back to signing in still leads to where the customer wanted to go', (moment) => {
        const isPressed = moment.event.type === 'again.pressed' && ends.some((end) => moment.before?.matches(end) === true);
        if (!isPressed) return moment.event.type === 'xstate.done.actor.takeAnswer' || toldOf(moment, 'go').length === 0;
        const { path, action } = moment.snapshot.context.way;
        const [route] = toldOf(moment, 'go').map(({ to }) => routeAt(String(to)));
        const next = afterSignInOf(route?.query ?? {});
        return route?.flow === 'signIn' && next.path === path && next.action === action;
      }),
      always('what the provider says is taken for the way that was begun', (moment) => {
        const way = answerOf<AfterSignIn | null>(moment, 'takeAnswer');
        return !way || JSON.stringify(moment.snapshot.context.way) === JSON.stringify(way);
      }),
    ],
    ledOn: { 'providerReturn.welcomed': 'the app leads to the page that the customer came from' },
  },
};
