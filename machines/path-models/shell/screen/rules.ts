import type { screenMachine } from '../../../app/screen.ts';
import { getPortInput, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { FlowInput } from '../../../flows/flow-input.ts';
import type { MachineRules } from '../../machine-rules.ts';

const EMAIL_FORMS = ['signIn', 'signUp', 'forgotPassword'];

const { always, invariant } = rulesFor<typeof screenMachine>();

export const rules: Record<string, MachineRules> = {
  screen: {
    rules: [
      invariant('no visitor sees a page that is for customers', ({ context: { route, userId }, ...snapshot }) => {
        return !snapshot.matches('showing') || route.access !== 'login' || userId !== null;
      }),
      always('nothing of one customer is shown to another: the flow ends with the session', (moment) => {
        const { event, before, snapshot, effects } = moment;
        if (event.type !== 'session.changed' || before?.matches('showing') !== true) return true;
        if (before.context.userId === snapshot.context.userId) return true;
        return effects.some((effect) => effect.kind === 'stop' && effect.id === 'flow');
      }),
      always('a flow is told who is signed in', (moment) => {
        const asked = getPortInput<FlowInput>(moment, 'flow');
        return asked === undefined || asked.signedIn === (moment.snapshot.context.userId !== null);
      }),
      always('a flow is told at once when the page is about to go', (moment) => {
        const { event, before, effects } = moment;
        if (event.type !== 'page.hidden' || before?.matches('showing') !== true) return true;
        return effects.some((effect) => effect.kind === 'send' && effect.to === 'flow' && effect.event.type === 'page.hidden');
      }),
      always('what was begun before sign-in goes on only on its own page', (moment) => {
        const resume = getPortInput<FlowInput>(moment, 'flow')?.resume ?? null;
        return resume === null || moment.before?.context.afterSignIn?.path === moment.snapshot.context.route.path;
      }),
      invariant(
        'an address that was typed is kept beside the forms of an account, and nowhere else',
        ({ context, ...snapshot }) => {
          return !snapshot.matches('showing') || !context.typed || EMAIL_FORMS.includes(context.flow ?? '');
        },
      ),
      always('the next form of an account begins with the address that was typed on the last one', (moment) => {
        const asked = getPortInput<FlowInput>(moment, 'flow');
        const { snapshot, before } = moment;
        const isForm = EMAIL_FORMS.includes(snapshot.context.flow ?? '');
        const expected = isForm ? (before?.context.typed ?? null) : null;
        return asked === undefined || JSON.stringify(asked.typed ?? null) === JSON.stringify(expected);
      }),
      always('whoever must sign in is led there', (moment) => {
        const { snapshot, before } = moment;
        const isLed = snapshot.matches('redirecting') && before?.matches('redirecting') !== true;
        return !isLed || getSentEvents(moment, 'go').length === 1;
      }),
      always('a visitor who may go on after signing in comes back to what was wanted', (moment) => {
        if (moment.event.type !== 'signIn.needed' || moment.fired.length === 0) return true;
        const [told] = getSentEvents(moment, 'go');
        return String(told?.['to']).startsWith('/sign') && told?.['replace'] === (moment.event['action'] === null);
      }),
    ],
    pii: {
      'screen.showing': 'the next form of an account begins with what was typed',
      'screen.fetching': 'the next form of an account is being fetched',
      'screen.unfetched': 'the next form of an account may come on “Try again”',
      'screen.redirecting': 'the next screen decides',
    },
    externalExits: { 'screen.redirecting': 'the address that the app was told to go to' },
  },
};
