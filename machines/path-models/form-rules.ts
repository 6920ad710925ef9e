import type { signInMachine } from '../account/sign-in.ts';
import { getPortOutput, getPortInput, rulesFor, getSentEvents, type Rule } from '../paths/rules.ts';

/** Typed for sign-in; sign-up differs only in the names of its events and its port. */
const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof signInMachine>();

/**
 * A submitted form: the prefix of its events, its port, and the states for editing and submitting
 * it.
 */
type SentForm = { event: string; port: string; asking?: string; sending: string };

/** The rules of every submitted form. */
export const createSentFormRules = ({ event: name, port, asking = 'asking', sending }: SentForm): Rule[] => [
  always('the server is asked about the form that was sent', (moment) => {
    const asked = getPortInput<{ pii: unknown }>(moment, port);
    return asked === undefined || JSON.stringify(asked.pii) === JSON.stringify(moment.event['pii']);
  }),
  always('a form that is sent is on its way, and one that cannot be right is not', (moment) => {
    const { event, before, snapshot } = moment;
    if (String(before?.value) !== asking) return true;
    if (event.type === `${name}.submitted`) return getPortInput(moment, port) !== undefined;
    return (
      getPortInput(moment, port) === undefined &&
      (event.type !== `${name}.rejected` || snapshot.context.fields === event['fields'])
    );
  }),
  always('whose form comes back is told why', ({ event, snapshot }) => {
    const isBack = event.type === `xstate.error.actor.${port}` && String(snapshot.value) === asking;
    return !isBack || snapshot.context.problem !== null;
  }),
  invariant('what was wrong with the form is forgotten while it is on its way', ({ value, context }) => {
    return String(value) !== sending || (context.problem === null && Object.keys(context.fields).length === 0);
  }),
  leadsTo('every form is answered', {
    after: ({ event }) => event.type === `${name}.submitted`,
    to: ({ snapshot }) => String(snapshot.value) !== sending,
  }),
];

/**
 * The rules of a form that signs a customer in; `port` submits it and is the prefix of its events.
 */
export const createFormRules = (port: 'signIn' | 'signUp'): Rule[] => [
  onlyAfter('nobody is welcomed whom the server has not let in', {
    cause: (moment) => getPortOutput(moment, port) !== undefined,
    what: ({ snapshot }) => snapshot.matches('welcomed'),
  }),
  always('the shop hears who has signed in, and nothing else', (moment) => {
    const byForm = getPortOutput<{ userId: unknown }>(moment, port);
    // By telephone, beside the form.
    const customer = moment.event.type === 'session.started' ? { userId: moment.event['userId'] as unknown } : byForm;
    const told = getSentEvents(moment, 'session.started').map(({ userId }) => userId);
    return JSON.stringify(told) === JSON.stringify(customer ? [customer.userId] : []);
  }),
  always('whoever is let in is welcomed', (moment) => {
    return getPortOutput(moment, port) === undefined || moment.snapshot.matches('welcomed');
  }),
  ...createSentFormRules({ event: port, port, sending: 'checking' }),
];
