import type { screenMachine } from '../../../app/screen.ts';
import { getPortInput, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { FlowInput } from '../../../flows/flow-input.ts';
import type { MachineRules } from '../../machine-rules.ts';

const EMAIL_FORMS = ['signIn', 'signUp', 'forgotPassword'];

const { always, invariant } = rulesFor<typeof screenMachine>();

export const rules: Record<string, MachineRules> = {
  screen: {
    rules: [
      invariant('a visitor never sees a page for customers', ({ context: { route, userId }, ...snapshot }) => {
        return !snapshot.matches('showing') || route.access !== 'login' || userId !== null;
      }),
      always('a change of the customer stops the flow', (moment) => {
        const { event, before, snapshot, effects } = moment;
        if (event.type !== 'session.changed' || before?.matches('showing') !== true) return true;
        if (before.context.userId === snapshot.context.userId) return true;
        return effects.some((effect) => effect.kind === 'stop' && effect.id === 'flow');
      }),
      always('a flow starts with the current sign-in state', (moment) => {
        const input = getPortInput<FlowInput>(moment, 'flow');
        return input === undefined || input.signedIn === (moment.snapshot.context.userId !== null);
      }),
      always('page.hidden is forwarded to the flow', (moment) => {
        const { event, before, effects } = moment;
        if (event.type !== 'page.hidden' || before?.matches('showing') !== true) return true;
        return effects.some((effect) => effect.kind === 'send' && effect.to === 'flow' && effect.event.type === 'page.hidden');
      }),
      always('an action from before sign-in resumes only on its own page', (moment) => {
        const resume = getPortInput<FlowInput>(moment, 'flow')?.resume ?? null;
        return resume === null || moment.before?.context.afterSignIn?.path === moment.snapshot.context.route.path;
      }),
      invariant('only the forms that ask for an e-mail address keep the address that was typed', ({ context, ...snapshot }) => {
        return !snapshot.matches('showing') || !context.typed || EMAIL_FORMS.includes(context.flow ?? '');
      }),
      always('a form that asks for an e-mail address starts with the one typed before', (moment) => {
        const input = getPortInput<FlowInput>(moment, 'flow');
        const { snapshot, before } = moment;
        const isForm = EMAIL_FORMS.includes(snapshot.context.flow ?? '');
        const expected = isForm ? (before?.context.typed ?? null) : null;
        return input === undefined || JSON.stringify(input.typed ?? null) === JSON.stringify(expected);
      }),
      always('a redirect navigates once', (moment) => {
        const { snapshot, before } = moment;
        const entersRedirect = snapshot.matches('redirecting') && before?.matches('redirecting') !== true;
        return !entersRedirect || getSentEvents(moment, 'go').length === 1;
      }),
      always('signIn.needed leads to a sign-in page, and replaces the URL if no action is pending', (moment) => {
        if (moment.event.type !== 'signIn.needed' || moment.fired.length === 0) return true;
        const [goEvent] = getSentEvents(moment, 'go');
        return String(goEvent?.['to']).startsWith('/sign') && goEvent?.['replace'] === (moment.event['action'] === null);
      }),
    ],
    pii: {
      'screen.showing': 'the next form starts with the typed e-mail address',
      'screen.fetching': 'the next form, which starts with the typed address, is being fetched',
      'screen.unfetched': '“Try again” may show the next form',
      'screen.redirecting': 'the next screen decides',
    },
    externalExits: { 'screen.redirecting': 'the app navigates to another URL' },
  },
};
