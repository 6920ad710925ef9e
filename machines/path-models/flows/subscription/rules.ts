import type { subscriptionMachine } from '../../../buying/subscription.ts';
import type { FlowInput } from '../../../flows/flow-input.ts';
import { type HeldSubscription, canChangeTo, type Plan, type PlanQuote, isRunning } from '../../../model/buying/subscription.ts';
import type { Route } from '../../../flows/route.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { isSameJson } from '../../../same-json.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof subscriptionMachine>();

export const rules: Record<string, MachineRules> = {
  subscription: {
    rules: [
      onlyAfter('a customer is shown as subscribed only after the server has confirmed it', {
        cause: (moment) => isRunning(getPortOutput<HeldSubscription | null>(moment, 'loadSubscription') ?? null),
        what: ({ snapshot }) => snapshot.matches('subscribed'),
      }),
      always('the subscription is requested only for a customer', (moment) => {
        return getPortInput(moment, 'loadSubscription') === undefined || moment.snapshot.context.signedIn;
      }),
      always('the plans are those of the server’s last answer', (moment) => {
        const expectedPlans = getPortOutput<Plan[]>(moment, 'loadPlans') ?? moment.before?.context.plans ?? [];
        return isSameJson(moment.snapshot.context.plans, expectedPlans);
      }),
      always('plans are requested with the plan of the URL', (moment) => {
        const input = getPortInput<{ planId: string }>(moment, 'loadPlans');
        return input === undefined || input.planId === moment.snapshot.context.wanted;
      }),
      always('the requested plan is the one in the URL', ({ before, event, snapshot }) => {
        if (before !== null && event.type !== 'route.changed') return snapshot.context.wanted === before.context.wanted;
        const route = event.type === 'route.changed' ? (event['route'] as Route) : (event['input'] as FlowInput).route;
        return snapshot.context.wanted === (route.query['planid'] ?? '');
      }),
      always('another plan in the URL or another language reloads the plans', (moment) => {
        const { event, before, snapshot } = moment;
        if (before === null || snapshot.context.sells === false) return true;
        const isOtherPlan = event.type === 'route.changed' && snapshot.context.wanted !== before.context.wanted;
        const mustReload = isOtherPlan || event.type === 'language.changed';
        if (event.type === 'route.changed' && !isOtherPlan) return snapshot.value === before.value;
        return !mustReload || (snapshot.matches('loading') && getPortInput(moment, 'loadPlans') !== undefined);
      }),
      always('loaded plans clear the earlier problem', (moment) => {
        return getPortOutput(moment, 'loadPlans') === undefined || moment.snapshot.context.problem === null;
      }),
      invariant('a plan is chosen exactly while it is quoted, confirmed or changed to', (snapshot) => {
        const isChosen = snapshot.matches('quoting') || snapshot.matches('asking') || snapshot.matches('changing');
        return isChosen === (snapshot.context.chosen !== null);
      }),
      always('a new choice clears the earlier quote and problem', ({ before, snapshot }) => {
        const isChosen = snapshot.matches('quoting') && before?.matches('quoting') !== true;
        return !isChosen || isSameJson([snapshot.context.quote, snapshot.context.problem], [null, null]);
      }),
      always('a failed quote returns to the subscription', (moment) => {
        return getPortProblem(moment, 'quotePlan') === null || moment.snapshot.matches('subscribed');
      }),
      always('a customer without a running subscription is offered the plans', (moment) => {
        const output = getPortOutput<HeldSubscription | null>(moment, 'loadSubscription');
        return output === undefined || moment.snapshot.value === (isRunning(output) ? 'subscribed' : 'offered');
      }),
      always('only an unknown plan in the URL leads to notFound', (moment) => {
        const loadedPlans = getPortOutput<Plan[]>(moment, 'loadPlans');
        if (loadedPlans === undefined) return true;
        return moment.snapshot.matches('notFound') === (moment.snapshot.context.wanted !== '' && loadedPlans.length === 0);
      }),
      always('the held subscription is the last running one that the server sent', (moment) => {
        const output = getPortOutput<HeldSubscription | null>(moment, 'loadSubscription');
        const { held } = moment.snapshot.context;
        if (isRunning(output ?? null)) return isSameJson(held, output);
        return isSameJson(held, moment.before?.context.held ?? null);
      }),
      onlyAfter('a plan changes only after the customer confirms the question', {
        cause: ({ event, before }) => event.type === 'change.confirmed' && before?.matches('asking') === true,
        what: (moment) => getPortInput(moment, 'changePlan') !== undefined,
        each: true,
      }),
      always('the change uses the quote that was shown', (moment) => {
        const input = getPortInput<{ quote: PlanQuote | null }>(moment, 'changePlan');
        return input === undefined || (input.quote !== null && input.quote === moment.before?.context.quote);
      }),
      always('only a plan that the subscription can change to is quoted', (moment) => {
        const input = getPortInput<{ planId: string }>(moment, 'quotePlan');
        const { held, plans } = moment.snapshot.context;
        return input === undefined || canChangeTo(held, input.planId, plans);
      }),
      always('only a change of plan leaves the page, for the URL of the server', (moment) => {
        const sentUrls = getSentEvents(moment, 'leave').map(({ url }) => url);
        const changeOutput = getPortOutput<{ url: string }>(moment, 'changePlan');
        return isSameJson(sentUrls, changeOutput === undefined ? [] : [changeOutput.url]);
      }),
      invariant('the question is open exactly while there is a quote', (snapshot) => {
        const isQuestionOpen = snapshot.matches('asking') || snapshot.matches('changing');
        return isQuestionOpen === (snapshot.context.quote !== null);
      }),
      always('every failure but that of a refresh sets a problem', ({ event, snapshot, before }) => {
        const isRefresh = before?.matches('refreshing') === true;
        return !event.type.startsWith('xstate.error.') || isRefresh || snapshot.context.problem !== null;
      }),
      leadsTo('every quote and every change of plan ends', {
        after: ({ snapshot }) => snapshot.matches('quoting') || snapshot.matches('changing'),
        to: ({ snapshot }) => !snapshot.hasTag('busy'),
      }),
      invariant('a store without subscriptions offers none', ({ value, context }) => context.sells || value === 'closed'),
    ],
    pressable: { 'subscription.asking': ['change.confirmed', 'change.declined'], 'subscription.failed': ['retry.pressed'] },
    externalExits: { 'subscription.notFound': 'a link leads to the subscriptions' },
  },
};
