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
  summary,
  type PathModel,
} from '../../../../machines/path-models/path-model.ts';
import { getNextSettlement } from '../../../../tools/tours/causes.ts';
import type { Port, BrowserAdapter } from '../../../../tools/tours/browser-adapter.ts';
import { isDoneEvent, json } from '../../../../tools/tours/wires.ts';

/**
 * Stages of generated walks on the second server: cases are the answers that a server of the
 * specification can give, in its own form, and its own goods.
 */

/** A stage, and why a server of the specification cannot cause some transitions. */
type SpecificationStage = { adapter: BrowserAdapter; beyond?: Readonly<Record<string, string>> };

const withPorts = (adapter: BrowserAdapter, ports: Record<string, Partial<Port>>): BrowserAdapter['ports'] => ({
  ...adapter.ports,
  ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, { ...adapter.ports[name], ...port } as Port])),
});

const withCases = (models: PathModel[], cases: PathModel['cases']): PathModel[] =>
  models.map((model) => ({ ...model, cases: { ...model.cases, ...cases } }));

/** Properties of the store in these walks, beside those of the second server. */
export const tourProperties: Record<string, string> = {
  MyLibrarySortOptions: JSON.stringify([
    { text: 'Title', value: 'title' },
    { text: 'Newest', value: 'newest' },
  ]),
};

const providerReason = 'signing in by a provider or by telephone is beyond the specification';
const providerSteps = ['leave', 'page.returned', 'session.started'];
const unreachableForms = (name: string): Record<string, string> =>
  Object.fromEntries(
    ['leave', 'session.started#0', 'session.started#1', 'page.returned'].map((event) => [`${name} ${event}`, providerReason]),
  );
const withoutProviders = (adapter: BrowserAdapter): BrowserAdapter => {
  const { prepares: _prepares, ...rest } = adapter;
  return { ...rest, isPossible: (_, { type }) => !providerSteps.includes(type) };
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
const heldGold: HeldSubscription = {
  planId: goldPlan.id,
  name: '',
  status: 'active',
  price: null,
  interval: null,
  credits: 0,
  until: null,
  changeable: true,
};

/** Of a server without a call for the price of another plan. */
const quote: PlanQuote = {
  planId: plainPlan.id,
  starts: 'unknown',
  due: { amount: 0, currency: '', symbol: '' },
  at: null,
  quotedAt: '',
};

const plansRoute = (query: Route['query'], path: string): Route => createRoute({ flow: 'subscription', path, query });
const allPlans = plansRoute({}, '/subscription');
const onePlan = plansRoute({ planid: 'gold' }, '/subscription?planid=gold');
const noPlan = plansRoute({ planid: 'nothing' }, '/subscription?planid=nothing');

/** The plans that the server has at an address. */
const findPlans = (wanted: string): Plan[] => [goldPlan, plainPlan].filter(({ id }) => wanted === '' || wanted === id);

const plansCases: PathModel['cases'] = {
  'xstate.done.actor.loadPlans': ['', 'gold', 'nothing'].map((wanted) => ({ output: findPlans(wanted) })),
  'xstate.error.actor.loadPlans': toRejectionCases(problems.offline),
  'route.changed': [allPlans, onePlan, noPlan].map((each) => ({ route: each })),
  'xstate.done.actor.loadSubscription': [{ output: heldGold }, { output: null }],
  'xstate.error.actor.loadSubscription': toRejectionCases(problems.offline),
  'change.pressed': [{ planId: plainPlan.id }, { planId: goldPlan.id }],
  'xstate.done.actor.quotePlan': [{ output: quote }],
  'xstate.done.actor.changePlan': [{ output: { url: '/portal' } }],
  'xstate.error.actor.changePlan': toRejectionCases(problems.offline),
};

const createPlansModel = (at: Route, part: Partial<FlowInput> = {}): PathModel => ({
  ...(subscription.models[0] as PathModel),
  input: createFlowInput(at, part),
  cases: plansCases,
});

const subscriptionStage: BrowserAdapter = {
  ...subscription,
  models: [
    createPlansModel(allPlans),
    createPlansModel(allPlans, { signedIn: true }),
    createPlansModel(noPlan),
    createPlansModel(allPlans, { store: { ...store, enableSubscription: false } }),
  ],
  prepares: async (world, model) => {
    if (getNextSettlement(world, 'loadSubscription')?.['output']) await (await world.customer()).subscribe(goldPlan.id);
    return subscription.prepares?.(world, model);
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
    'xstate.done.actor.changePlan': async (world, event) => {
      await world.settle(event);
      await world.page.waitForURL('**/portal');
    },
  },
  ports: withPorts(subscription, {
    loadSubscription: {
      asks: ({ pathname }) => pathname.endsWith('/subscription/status'),
      answer: (subscribed: HeldSubscription | null) =>
        json({ subscribed: subscribed !== null, data: subscribed?.planId ?? null }),
      says: (subscribed: HeldSubscription | null, body) => body.includes('"subscribed":true') === (subscribed !== null),
    },
    quotePlan: { serverWillAnswer: isDoneEvent },
    changePlan: { serverWillAnswer: isDoneEvent },
  }),
};

const [ofLibrary] = library.models as [PathModel];
const ownedCopy = { instanceId: 'copy-4', purchasedAt: '', lastOpenedAt: null, progress: 0, title: { ...summary, id: '4' } };

const libraryAdapter: BrowserAdapter = {
  ...library,
  models: withCases([ofLibrary], {
    'title.opened': [{ instanceId: ownedCopy.instanceId }],
    'xstate.done.actor.purchases': [[ownedCopy], []].map((titles) => ({ output: { titles, left: null } })),
  }),
  prepares: async (world) => {
    const owned = getNextSettlement(world, 'purchases')?.['output'] as Library | undefined;
    if ((owned?.titles.length ?? 0) > 0) await (await world.customer()).buy('4');
    return undefined;
  },
  ports: withPorts(library, {
    purchases: {
      answer: () => json({ purchases: [] }),
      says: ({ titles }: Library, body) => titles.length > 0 === body.includes('"instanceId"'),
    },
  }),
};

/** Answers that the walks give in the server's place. */
export const standInReasons: Readonly<Record<string, string>> = {
  'xstate.done.actor.carousels': 'the server has titles, and the tour wants a store without any',
  'xstate.done.actor.loadSubscription': 'the subscription ended while a change of the plan failed',
};

/**
 * The screens that every shop has: the landing page and the plans for visitors, the forms of an
 * account, and the customer's plan and library. Their calls are in the specification.
 */
export const specificationStages: SpecificationStage[] = [
  {
    adapter: {
      ...landing,
      models: withCases(landing.models, { 'xstate.done.actor.begun': [{ output: [] }] }),
      ports: withPorts(landing, {
        carousels: { answer: () => ({ status: 200, contentType: 'text/xml', body: '<ArrayOfTitle/>' }) },
      }),
    },
  },
  {
    adapter: subscriptionStage,
    beyond: {
      'subscription.quoting xstate.error.actor.quotePlan':
        'a server without subscription/change refuses nothing: the page continues without a price',
    },
  },
  { adapter: withoutProviders(signIn), beyond: unreachableForms('signIn') },
  {
    adapter: {
      ...withoutProviders(signUp),
      models: withCases(signUp.models, { 'xstate.done.actor.loadFields': [{ output: [] }] }),
      ports: withPorts(signUp, { loadFields: { says: () => true } }),
    },
    beyond: unreachableForms('signUp'),
  },
  { adapter: forgotPassword },
  { adapter: libraryAdapter },
];
