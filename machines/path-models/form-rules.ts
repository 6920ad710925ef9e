import type { signInMachine } from '../account/sign-in.ts';
import { getPortOutput, getPortInput, rulesFor, getSentEvents, type Rule } from '../paths/rules.ts';
import { isSameJson } from '../same-json.ts';

/** Rules typed for sign-in; other forms differ only in the names of their events and ports. */
const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof signInMachine>();

/**
 * A form of a machine: the prefix of its events, the port that submits it, and the states in which
 * it is edited and sent.
 */
type SubmittedForm = { event: string; port: string; editingState?: string; sendingState: string };

/** Creates the rules that hold for every form. */
export const createSubmittedFormRules = ({
  event: eventPrefix,
  port,
  editingState = 'asking',
  sendingState,
}: SubmittedForm): Rule[] => [
  always('the submitted form is sent to the server unchanged', (moment) => {
    const input = getPortInput<{ pii: unknown }>(moment, port);
    return input === undefined || isSameJson(input.pii, moment.event['pii']);
  }),
  always('only a submitted form starts a request, and an invalid form shows its field errors', (moment) => {
    const { event, before, snapshot } = moment;
    if (String(before?.value) !== editingState) return true;
    if (event.type === `${eventPrefix}.submitted`) return getPortInput(moment, port) !== undefined;
    return (
      getPortInput(moment, port) === undefined &&
      (event.type !== `${eventPrefix}.rejected` || snapshot.context.fields === event['fields'])
    );
  }),
  always('a failed request that returns to the form shows its problem', ({ event, snapshot }) => {
    const returnsToForm = event.type === `xstate.error.actor.${port}` && String(snapshot.value) === editingState;
    return !returnsToForm || snapshot.context.problem !== null;
  }),
  invariant('a form that is being sent shows no earlier problem or field error', ({ value, context }) => {
    return String(value) !== sendingState || (context.problem === null && Object.keys(context.fields).length === 0);
  }),
  leadsTo('the request of every submitted form ends', {
    after: ({ event }) => event.type === `${eventPrefix}.submitted`,
    to: ({ snapshot }) => String(snapshot.value) !== sendingState,
  }),
];

/**
 * Creates the rules of a form that signs a customer in. `port` is also the prefix of its events.
 */
export const createFormRules = (port: 'signIn' | 'signUp'): Rule[] => [
  onlyAfter('the welcome appears only after the server has signed the customer in', {
    cause: (moment) => getPortOutput(moment, port) !== undefined,
    what: ({ snapshot }) => snapshot.matches('welcomed'),
  }),
  always('a sign-in, and nothing else, sends session.started with its user id', (moment) => {
    const formOutput = getPortOutput<{ userId: unknown }>(moment, port);
    // A sign-in by telephone or passkey, on the same screen as the form.
    const customer = moment.event.type === 'session.started' ? { userId: moment.event['userId'] as unknown } : formOutput;
    const sentUserIds = getSentEvents(moment, 'session.started').map(({ userId }) => userId);
    return isSameJson(sentUserIds, customer ? [customer.userId] : []);
  }),
  always('every successful sign-in leads to the welcome', (moment) => {
    return getPortOutput(moment, port) === undefined || moment.snapshot.matches('welcomed');
  }),
  ...createSubmittedFormRules({ event: port, port, sendingState: 'checking' }),
];
