import type { signInMachine } from '../account/sign-in.ts';
import { answerOf, askedOf, rulesFor, toldOf, type Rule } from '../paths/rules.ts';

/** Signing up is told apart from signing in by the names of its events and its port alone. */
const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof signInMachine>();

/** A form that is sent: the name that its events begin with, the port that sends it, the states in which it is asked for and on its way. */
type SentForm = { event: string; port: string; asking?: string; sending: string };

/** What must hold of every form that is sent. */
export const sentFormRules = ({ event: name, port, asking = 'asking', sending }: SentForm): Rule[] => [
  always('the server is asked about the form that was sent', (moment) => {
    const asked = askedOf<{ pii: unknown }>(moment, port);
    return asked === undefined || JSON.stringify(asked.pii) === JSON.stringify(moment.event['pii']);
  }),
  always('a form that is sent is on its way, and one that cannot be right is not', (moment) => {
    const { event, before, snapshot } = moment;
    if (String(before?.value) !== asking) return true;
    if (event.type === `${name}.submitted`) return askedOf(moment, port) !== undefined;
    return (
      askedOf(moment, port) === undefined && (event.type !== `${name}.rejected` || snapshot.context.fields === event['fields'])
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

/** What must hold of a form by which somebody is let in; `port` is the one that it is sent by, and begins the names of its events. */
export const formRules = (port: 'signIn' | 'signUp'): Rule[] => [
  onlyAfter('nobody is welcomed whom the server has not let in', {
    cause: (moment) => answerOf(moment, port) !== undefined,
    what: ({ snapshot }) => snapshot.matches('welcomed'),
  }),
  always('the shop hears who has signed in, and nothing else', (moment) => {
    const byForm = answerOf<{ userId: unknown }>(moment, port);
    // By telephone, beside the form.
    const customer = moment.event.type === 'session.started' ? { userId: moment.event['userId'] as unknown } : byForm;
    const told = toldOf(moment, 'session.started').map(({ userId }) => userId);
    return JSON.stringify(told) === JSON.stringify(customer ? [customer.userId] : []);
  }),
  always('whoever is let in is welcomed', (moment) => {
    return answerOf(moment, port) === undefined || moment.snapshot.matches('welcomed');
  }),
  ...sentFormRules({ event: port, port, sending: 'checking' }),
];
