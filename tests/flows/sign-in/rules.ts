import type { providersMachine } from '../../../machines/account/providers.ts';
import type { ProviderChoice } from '../../../machines/model/provider.ts';
import { answerOf, askedOf, failureOf, rulesFor, toldOf } from '../../../machines/paths/rules.ts';
import { formRules } from '../../support/form-rules.ts';
import type { MachineRules } from '../../support/rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof providersMachine>();

export const rules: Record<string, MachineRules> = {
  signIn: {
    rules: formRules('signIn'),
    pii: { 'signIn.checking': 'the form is on its way to the server' },
    ledOn: { 'signIn.welcomed': 'the app leads to the page that the customer came from' },
  },
  providers: {
    rules: [
      leadsTo('the list comes, or the form stays alone', {
        after: ({ event }) => event.type === 'xstate.init',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      invariant('buttons are offered only where there are providers', ({ value, context }) => {
        return (value === 'loading' || value === 'none') === (context.providers.length === 0);
      }),
      onlyAfter('nobody is led to a provider who has not pressed its button', {
        cause: ({ event, before }) => event.type === 'provider.pressed' && before?.matches('offered') === true,
        what: (moment) => askedOf(moment, 'startSignIn') !== undefined,
        each: true,
      }),
      always('the provider that was pressed is gone to, and no other', (moment) => {
        const asked = askedOf<ProviderChoice>(moment, 'startSignIn');
        if (asked === undefined) return true;
        const { event, snapshot } = moment;
        const isOffered = snapshot.context.providers.some(({ id }) => id === event['providerId']);
        return isOffered && asked.providerId === event['providerId'] && asked.remember === event['remember'];
      }),
      always('where the customer wanted to go is not forgotten', (moment) => {
        const asked = askedOf<ProviderChoice>(moment, 'startSignIn');
        return asked === undefined || JSON.stringify(asked.way) === JSON.stringify(moment.snapshot.context.way);
      }),
      always('a provider that cannot be gone to is told, and the buttons are there again', (moment) => {
        const problem = failureOf(moment, 'startSignIn');
        return problem === null || (moment.snapshot.matches('offered') && moment.snapshot.context.problem !== null);
      }),
      always('the page is left for the provider’s when its address is there, and only then', (moment) => {
        const url = answerOf<string>(moment, 'startSignIn');
        const told = toldOf(moment, 'leave').map((fact) => fact['url']);
        if (url !== undefined && !moment.snapshot.matches('leaving')) return false;
        return JSON.stringify(told) === JSON.stringify(url === undefined ? [] : [url]);
      }),
      invariant('one provider at a time is gone to', ({ value, context }) => {
        return (value === 'starting' || value === 'leaving') === (context.choice !== null);
      }),
      invariant('what went wrong before is forgotten on the way', ({ value, context }) => {
        return value === 'offered' || context.problem === null;
      }),
      always('who comes back can press again', ({ event, before, snapshot }) => {
        return event.type !== 'page.returned' || before?.matches('leaving') !== true || snapshot.matches('offered');
      }),
    ],
    ledOn: { 'providers.leaving': 'the browser shows the provider’s page' },
  },
};
