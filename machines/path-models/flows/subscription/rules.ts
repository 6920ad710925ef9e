import type { subscriptionMachine } from '../../../buying/subscription.ts';
import type { FlowInput } from '../../../flows/flow-input.ts';
import { type HeldSubscription, canChangeTo, type Plan, type PlanQuote, isRunning } from '../../../model/buying/subscription.ts';
import type { Route } from '../../../flows/route.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, isSame, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof subscriptionMachine>();

export const rules: Record<string, MachineRules> = {
  subscription: {
    rules: [
      onlyAfter('nobody is said to have subscribed whom the server does not know as such', {
        cause: (moment) => isRunning(getPortOutput<HeldSubscription | null>(moment, 'loadSubscription') ?? null),
        what: ({ snapshot }) => snapshot.matches('subscribed'),
      }),
      always('only a customer is asked about', (moment) => {
        return getPortInput(moment, 'loadSubscription') === undefined || moment.snapshot.context.signedIn;
      }),
      always('what is shown are the plans that the server said last', (moment) => {
        const said = getPortOutput<Plan[]>(moment, 'loadPlans') ?? moment.before?.context.plans ?? [];
        return isSame(moment.snapshot.context.plans, said);
      }),
      always('the server is asked for the plan of the address', (moment) => {
        const asked = getPortInput<{ planId: string }>(moment, 'loadPlans');
        return asked === undefined || asked.planId === moment.snapshot.context.wanted;
      }),
      always('the plan that is wanted is the one that the address names', ({ before, event, snapshot }) => {
        if (before !== null && event.type !== 'route.changed') return snapshot.context.wanted === before.context.wanted;
        const route = event.type === 'route.changed' ? (event['route'] as Route) : (event['input'] as FlowInput).route;
        return snapshot.context.wanted === (route.query['planid'] ?? '');
      }),
      always('another plan in the address, and another language, ask for the plans again', (moment) => {
        const { event, before, snapshot } = moment;
        if (before === null || snapshot.context.sells === false) return true;
        const isOther = event.type === 'route.changed' && snapshot.context.wanted !== before.context.wanted;
        const asks = isOther || event.type === 'language.changed';
        if (event.type === 'route.changed' && !isOther) return snapshot.value === before.value;
        return !asks || (snapshot.matches('loading') && getPortInput(moment, 'loadPlans') !== undefined);
      }),
      always('plans that are answered end the failure before it', (moment) => {
        return getPortOutput(moment, 'loadPlans') === undefined || moment.snapshot.context.problem === null;
      }),
      invariant('a plan is chosen only while it is quoted, asked about or changed to', (snapshot) => {
        const isChosen = snapshot.matches('quoting') || snapshot.matches('asking') || snapshot.matches('changing');
        return isChosen === (snapshot.context.chosen !== null);
      }),
      always('a new choice forgets what went wrong with the one before', ({ before, snapshot }) => {
        const isChosen = snapshot.matches('quoting') && before?.matches('quoting') !== true;
        return !isChosen || isSame([snapshot.context.quote, snapshot.context.problem], [null, null]);
      }),
      always('a plan that cannot be quoted is not asked about', (moment) => {
        return getPortProblem(moment, 'quotePlan') === null || moment.snapshot.matches('subscribed');
      }),
      always('whoever has no subscription finds the plans to begin with', (moment) => {
        const held = getPortOutput<HeldSubscription | null>(moment, 'loadSubscription');
        return held === undefined || moment.snapshot.value === (isRunning(held) ? 'subscribed' : 'offered');
      }),
      always('a plan that is not there is said to be missing, and nothing else is', (moment) => {
        const said = getPortOutput<Plan[]>(moment, 'loadPlans');
        if (said === undefined) return true;
        return moment.snapshot.matches('notFound') === (moment.snapshot.context.wanted !== '' && said.length === 0);
      }),
      always('what the customer has is what the server said last', (moment) => {
        const said = getPortOutput<HeldSubscription | null>(moment, 'loadSubscription');
        const { held } = moment.snapshot.context;
        if (isRunning(said ?? null)) return isSame(held, said);
        return isSame(held, moment.before?.context.held ?? null);
      }),
      onlyAfter('a plan is only changed by a press that answers the question', {
        cause: ({ event, before }) => event.type === 'change.confirmed' && before?.matches('asking') === true,
        what: (moment) => getPortInput(moment, 'changePlan') !== undefined,
        each: true,
      }),
      always('what is changed to is what was quoted and shown', (moment) => {
        const asked = getPortInput<{ quote: PlanQuote | null }>(moment, 'changePlan');
        return asked === undefined || (asked.quote !== null && asked.quote === moment.before?.context.quote);
      }),
      always('only a plan that the subscription can be given is quoted', (moment) => {
        const asked = getPortInput<{ planId: string }>(moment, 'quotePlan');
        const { held, plans } = moment.snapshot.context;
        return asked === undefined || canChangeTo(held, asked.planId, plans);
      }),
      always('away leads a change alone, and where the server says', (moment) => {
        const told = getSentEvents(moment, 'leave').map(({ url }) => url);
        const changed = getPortOutput<{ url: string }>(moment, 'changePlan');
        return isSame(told, changed === undefined ? [] : [changed.url]);
      }),
      invariant('the question stands where there is a quote, and nowhere else', (snapshot) => {
        const isAsked = snapshot.matches('asking') || snapshot.matches('changing');
        return isAsked === (snapshot.context.quote !== null);
      }),
      always('what the server refused is told', ({ event, snapshot, before }) => {
        const isRefresh = before?.matches('refreshing') === true;
        return !event.type.startsWith('xstate.error.') || isRefresh || snapshot.context.problem !== null;
      }),
      leadsTo('every press is answered', {
        after: ({ snapshot }) => snapshot.matches('quoting') || snapshot.matches('changing'),
        to: ({ snapshot }) => !snapshot.hasTag('busy'),
      }),
      invariant('a store that sells none offers none', ({ value, context }) => context.sells || value === 'closed'),
    ],
    pressable: { 'subscription.asking': ['change.confirmed', 'change.declined'], 'subscription.failed': ['retry.pressed'] },
    externalExits: { 'subscription.notFound': 'a link leads to the subscriptions that there are' },
  },
};
