import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { Library } from '../../../../machines/model/buying/purchase.ts';
import type { Route } from '../../../../machines/flows/route.ts';
import type { HeldSubscription, Plan, PlanQuote } from '../../../../machines/model/buying/subscription.ts';
import { adapter as forgotPassword } from '../../../../tools/tours/flows/forgot-password/adapter.ts';
import { adapter as landing } from '../../../../tools/tours/flows/landing/adapter.ts';
import { adapter as library } from '../../../../tools/tours/flows/library/adapter.ts';
import { adapter as signIn } from '../../../../tools/tours/flows/sign-in/adapter.ts';
import { adapter as signUp } from '../../../../tools/tours/flows/sign-up/adapter.ts';
import { adapter as subscription } from '../../../../tools/tours/flows/subscription/adapter.ts';
import {
  createFlowInput,
  problems,
  toRejectionCases,
  createRoute,
  store,
  titleSummary,
  type PathModel,
} from '../../../../machines/path-models/path-model.ts';
import { getNextSettlement } from '../../../../tools/tours/causes.ts';
import type { Port, BrowserAdapter } from '../../../../tools/tours/browser-adapter.ts';
import { isDoneEvent, toJsonResponse } from '../../../../tools/tours/wires.ts';

/**
 * Browser adapters for generated walks on the specification server. Their cases are the answers
 * that such a server can give, in its own format, about its own titles and plans.
 */

/**
 * A browser adapter, with the reasons why the specification server cannot cause some transitions.
 */
type SpecificationAdapter = { adapter: BrowserAdapter; unreachableReasons?: Readonly<Record<string, string>> };

const withPorts = (adapter: BrowserAdapter, ports: Record<string, Partial<Port>>): BrowserAdapter['ports'] => ({
  ...adapter.ports,
  ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, { ...adapter.ports[name], ...port } as Port])),
});

const withCases = (models: PathModel[], cases: PathModel['cases']): PathModel[] =>
  models.map((model) => ({ ...model, cases: { ...model.cases, ...cases } }));

/** Properties of the store in these walks, beside those of the specification server. */
export const tourProperties: Record<string, string> = {
  MyLibrarySortOptions: JSON.stringify([
    { text: 'Title', value: 'title' },
    { text: 'Newest', value: 'newest' },
  ]),
};

const providerReason = 'signing in by a provider or by telephone is beyond the specification';
const providerEvents = ['leave', 'page.returned', 'session.started'];
const getUnreachableTransitions = (name: string): Record<string, string> =>
  Object.fromEntries(
    ['leave', 'session.started#0', 'session.started#1', 'page.returned'].map((event) => [`${name} ${event}`, providerReason]),
  );
const withoutProviders = (adapter: BrowserAdapter): BrowserAdapter => {
  const { prepare: _prepares, ...otherMembers } = adapter;
  return { ...otherMembers, isPossible: (_, { type }) => !providerEvents.includes(type) };
};

const goldPlan: Plan = {
  id: 'gold',
  name: 'Gold',
  description: '',
  price: { amount: 4.99, currency: 'EUR', symbol: '€' },
  interval: 'month',
  trialDays: 0,
  credits: 0,
};
const plainPlan: Plan = {
  ...goldPlan,
  id: 'plain',
  name: 'Plain',
  price: { amount: 2, currency: 'EUR', symbol: '€' },
  interval: null,
};

/** A subscription as far as `subscription/status` describes it. */
const goldSubscription: HeldSubscription = {
  planId: goldPlan.id,
  name: '',
  status: 'active',
  price: null,
  interval: null,
  credits: 0,
  until: null,
  changeable: true,
};

/** The quote that the app shows for a server without a call for the price of another plan. */
const quote: PlanQuote = {
  planId: plainPlan.id,
  starts: 'unknown',
  due: { amount: 0, currency: '', symbol: '' },
  at: null,
  quotedAt: '',
};

const createPlansRoute = (query: Route['query'], path: string): Route => createRoute({ flow: 'subscription', path, query });
const allPlansRoute = createPlansRoute({}, '/subscription');
const onePlanRoute = createPlansRoute({ planid: 'gold' }, '/subscription?planid=gold');
const noPlanRoute = createPlansRoute({ planid: 'nothing' }, '/subscription?planid=nothing');

/** The plans that the server offers for the plan id of a URL; all plans for an empty id. */
const findPlans = (planId: string): Plan[] => [goldPlan, plainPlan].filter(({ id }) => planId === '' || planId === id);

const plansCases: PathModel['cases'] = {
  'xstate.done.actor.loadPlans': ['', 'gold', 'nothing'].map((planId) => ({ output: findPlans(planId) })),
  'xstate.error.actor.loadPlans': toRejectionCases(problems.offline),
  'route.changed': [allPlansRoute, onePlanRoute, noPlanRoute].map((each) => ({ route: each })),
  'xstate.done.actor.loadSubscription': [{ output: goldSubscription }, { output: null }],
  'xstate.error.actor.loadSubscription': toRejectionCases(problems.offline),
  'change.pressed': [{ planId: plainPlan.id }, { planId: goldPlan.id }],
  'xstate.done.actor.quotePlan': [{ output: quote }],
  'xstate.done.actor.changePlan': [{ output: { url: '/portal' } }],
  'xstate.error.actor.changePlan': toRejectionCases(problems.offline),
};

const createPlansModel = (route: Route, input: Partial<FlowInput> = {}): PathModel => ({
  ...(subscription.models[0] as PathModel),
  input: createFlowInput(route, input),
  cases: plansCases,
});

const subscriptionStage: BrowserAdapter = {
  ...subscription,
  models: [
    createPlansModel(allPlansRoute),
    createPlansModel(allPlansRoute, { signedIn: true }),
    createPlansModel(noPlanRoute),
    createPlansModel(allPlansRoute, { store: { ...store, enableSubscription: false } }),
  ],
  prepare: async (walk, model) => {
    if (getNextSettlement(walk, 'loadSubscription')?.['output']) await (await walk.getCustomer()).subscribe(goldPlan.id);
    return subscription.prepare?.(walk, model);
  },
  isPossible: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => {
    if (!event.type.endsWith('.actor.loadPlans')) return true;
    const { wanted } = snapshot.context as { wanted: string };
    // A failed look-up of one plan counts as an unknown plan.
    if (!isDoneEvent(event)) return wanted === '';
    return (event['output'] as Plan[]).length === findPlans(wanted).length;
  },
  causes: {
    ...subscription.causes,
    'xstate.done.actor.changePlan': async (walk, event) => {
      await walk.settle(event);
      await walk.page.waitForURL('**/portal');
    },
  },
  ports: withPorts(subscription, {
    loadSubscription: {
      matches: ({ pathname }) => pathname.endsWith('/subscription/status'),
      toResponse: (heldSubscription: HeldSubscription | null) =>
        toJsonResponse({ subscribed: heldSubscription !== null, data: heldSubscription?.planId ?? null }),
      isEquivalent: (heldSubscription: HeldSubscription | null, body) =>
        body.includes('"subscribed":true') === (heldSubscription !== null),
    },
    quotePlan: { serverWillAnswer: isDoneEvent },
    changePlan: { serverWillAnswer: isDoneEvent },
  }),
};

const [libraryModel] = library.models as [PathModel];
const ownedCopy = { instanceId: 'copy-4', purchasedAt: '', lastOpenedAt: null, progress: 0, title: { ...titleSummary, id: '4' } };

const libraryAdapter: BrowserAdapter = {
  ...library,
  models: withCases([libraryModel], {
    'title.opened': [{ instanceId: ownedCopy.instanceId }],
    'xstate.done.actor.purchases': [[ownedCopy], []].map((titles) => ({ output: { titles, left: null } })),
  }),
  prepare: async (walk) => {
    const nextLibrary = getNextSettlement(walk, 'purchases')?.['output'] as Library | undefined;
    if ((nextLibrary?.titles.length ?? 0) > 0) await (await walk.getCustomer()).buy('4');
    return undefined;
  },
  ports: withPorts(library, {
    purchases: {
      toResponse: () => toJsonResponse({ purchases: [] }),
      isEquivalent: ({ titles }: Library, body) => titles.length > 0 === body.includes('"instanceId"'),
    },
  }),
};

/** Why the walks inject an answer in place of the server's, by event type. */
export const injectionReasons: Readonly<Record<string, string>> = {
  'xstate.done.actor.carousels': 'the server has titles, and the walk needs a store without any',
  'xstate.done.actor.loadSubscription': 'the subscription ended while a change of the plan failed',
};

/**
 * Adapters of the screens that every shop has: the landing page and the plans for visitors, the
 * forms of an account, and the customer's plan and library. Their calls are in the specification.
 */
export const specificationAdapters: SpecificationAdapter[] = [
  {
    adapter: {
      ...landing,
      models: withCases(landing.models, { 'xstate.done.actor.startedTitles': [{ output: [] }] }),
      ports: withPorts(landing, {
        carousels: { toResponse: () => ({ status: 200, contentType: 'text/xml', body: '<ArrayOfTitle/>' }) },
      }),
    },
  },
  {
    adapter: subscriptionStage,
    unreachableReasons: {
      'subscription.quoting xstate.error.actor.quotePlan':
        'a server without subscription/change refuses nothing: the page continues without a price',
    },
  },
  { adapter: withoutProviders(signIn), unreachableReasons: getUnreachableTransitions('signIn') },
  {
    adapter: {
      ...withoutProviders(signUp),
      models: withCases(signUp.models, { 'xstate.done.actor.loadFields': [{ output: [] }] }),
      ports: withPorts(signUp, { loadFields: { isEquivalent: () => true } }),
    },
    unreachableReasons: getUnreachableTransitions('signUp'),
  },
  { adapter: forgotPassword },
  { adapter: libraryAdapter },
];
