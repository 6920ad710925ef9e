import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { Library } from '../../../../machines/model/buying/purchase.ts';
import type { Route } from '../../../../machines/flows/route.ts';
import type { HeldSubscription, Plan, PlanQuote } from '../../../../machines/model/buying/subscription.ts';
import { stage as forgotPassword } from '../../../../tools/tours/flows/forgot-password/stage.ts';
import { stage as landing } from '../../../../tools/tours/flows/landing/stage.ts';
import { stage as library } from '../../../../tools/tours/flows/library/stage.ts';
import { stage as signIn } from '../../../../tools/tours/flows/sign-in/stage.ts';
import { stage as signUp } from '../../../../tools/tours/flows/sign-up/stage.ts';
import { stage as subscription } from '../../../../tools/tours/flows/subscription/stage.ts';
import {
  flowInput,
  problems,
  rejections,
  route,
  store,
  summary,
  type PathModel,
} from '../../../../machines/path-models/path-model.ts';
import { nextOf } from '../../../../tools/tours/causes.ts';
import type { Port, Stage } from '../../../../tools/tours/stage.ts';
import { isDone, json } from '../../../../tools/tours/wires.ts';

/**
 * Stages of tours on the second server: cases are the answers that a server of the specification
 * can give, in its own form, and its own goods.
 */

/** A stage, and why a server of the specification cannot bring some transitions about. */
type SpecificationStage = { stage: Stage; beyond?: Readonly<Record<string, string>> };

const withPorts = (stage: Stage, ports: Record<string, Partial<Port>>): Stage['ports'] => ({
  ...stage.ports,
  ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, { ...stage.ports[name], ...port } as Port])),
});

const withCases = (models: PathModel[], cases: PathModel['cases']): PathModel[] =>
  models.map((model) => ({ ...model, cases: { ...model.cases, ...cases } }));

/** Properties of the store of the tours, beside those of the second server. */
export const tourProperties: Record<string, string> = {
  MyLibrarySortOptions: JSON.stringify([
    { text: 'Title', value: 'title' },
    { text: 'Newest', value: 'newest' },
  ]),
};

const isProviders = 'signing in by a provider or by telephone is beyond the specification';
const byProvider = ['leave', 'page.returned', 'session.started'];
const beyondForms = (name: string): Record<string, string> =>
  Object.fromEntries(
    ['leave', 'session.started#0', 'session.started#1', 'page.returned'].map((event) => [`${name} ${event}`, isProviders]),
  );
const withoutProviders = (stage: Stage): Stage => {
  const { prepares: _prepares, ...rest } = stage;
  return { ...rest, isPossible: (_, { type }) => !byProvider.includes(type) };
};

const gold: Plan = {
  id: 'gold',
  name: 'Gold',
  description: '',
  price: { amount: 4.99, currency: 'EUR', symbol: '€' },
  interval: 'month',
  trialDays: 0,
  credits: 0,
};
const plain: Plan = { ...gold, id: 'plain', name: 'Plain', price: { amount: 2, currency: 'EUR', symbol: '€' }, interval: null };

/** A subscription as far as `subscription/status` describes it. */
const held: HeldSubscription = {
  planId: gold.id,
  name: '',
  status: 'active',
  price: null,
  interval: null,
  credits: 0,
  until: null,
  changeable: true,
};

/** Of a server that has no call to say what another plan costs. */
const quote: PlanQuote = {
  planId: plain.id,
  starts: 'unknown',
  due: { amount: 0, currency: '', symbol: '' },
  at: null,
  quotedAt: '',
};

const plansRoute = (query: Route['query'], path: string): Route => route({ flow: 'subscription', path, query });
const allPlans = plansRoute({}, '/subscription');
const onePlan = plansRoute({ planid: 'gold' }, '/subscription?planid=gold');
const noPlan = plansRoute({ planid: 'nothing' }, '/subscription?planid=nothing');

/** The plans that the server has at an address. */
const plansOf = (wanted: string): Plan[] => [gold, plain].filter(({ id }) => wanted === '' || wanted === id);

const plansCases: PathModel['cases'] = {
  'xstate.done.actor.loadPlans': ['', 'gold', 'nothing'].map((wanted) => ({ output: plansOf(wanted) })),
  'xstate.error.actor.loadPlans': rejections(problems.offline),
  'route.changed': [allPlans, onePlan, noPlan].map((each) => ({ route: each })),
  'xstate.done.actor.loadSubscription': [{ output: held }, { output: null }],
  'xstate.error.actor.loadSubscription': rejections(problems.offline),
  'change.pressed': [{ planId: plain.id }, { planId: gold.id }],
  'xstate.done.actor.quotePlan': [{ output: quote }],
  'xstate.done.actor.changePlan': [{ output: { url: '/portal' } }],
  'xstate.error.actor.changePlan': rejections(problems.offline),
};

const plansModel = (at: Route, part: Partial<FlowInput> = {}): PathModel => ({
  ...(subscription.models[0] as PathModel),
  input: flowInput(at, part),
  cases: plansCases,
});

const subscriptionStage: Stage = {
  ...subscription,
  models: [
    plansModel(allPlans),
    plansModel(allPlans, { signedIn: true }),
    plansModel(noPlan),
    plansModel(allPlans, { store: { ...store, enableSubscription: false } }),
  ],
  prepares: async (world, model) => {
    if (nextOf(world, 'loadSubscription')?.['output']) await (await world.customer()).subscribes(gold.id);
    return subscription.prepares?.(world, model);
  },
  isPossible: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => {
    if (!event.type.endsWith('.actor.loadPlans')) return true;
    const { wanted } = snapshot.context as { wanted: string };
    // A failed look-up of one plan counts as an unknown plan.
    if (!isDone(event)) return wanted === '';
    return (event['output'] as Plan[]).length === plansOf(wanted).length;
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
    quotePlan: { serverGives: isDone },
    changePlan: { serverGives: isDone },
  }),
};

const [ofLibrary] = library.models as [PathModel];
const copy = { instanceId: 'copy-4', purchasedAt: '', lastOpenedAt: null, progress: 0, title: { ...summary, id: '4' } };

const libraryStage: Stage = {
  ...library,
  models: withCases([ofLibrary], {
    'title.opened': [{ instanceId: copy.instanceId }],
    'xstate.done.actor.purchases': [[copy], []].map((titles) => ({ output: { titles, left: null } })),
  }),
  prepares: async (world) => {
    const owned = nextOf(world, 'purchases')?.['output'] as Library | undefined;
    if ((owned?.titles.length ?? 0) > 0) await (await world.customer()).buys('4');
    return undefined;
  },
  ports: withPorts(library, {
    purchases: {
      answer: () => json({ purchases: [] }),
      says: ({ titles }: Library, body) => titles.length > 0 === body.includes('"instanceId"'),
    },
  }),
};

/** Answers that the tours give in the server's place. */
export const standIns: Readonly<Record<string, string>> = {
  'xstate.done.actor.carousels': 'the server has titles, and the tour wants a store without any',
  'xstate.done.actor.loadSubscription': 'the subscription ended while a change of the plan failed',
};

/**
 * The screens that every shop has: the landing page and the plans for visitors, the forms of an
 * account, and the customer's plan and library. Their calls are in the specification.
 */
export const specificationStages: SpecificationStage[] = [
  {
    stage: {
      ...landing,
      models: withCases(landing.models, { 'xstate.done.actor.begun': [{ output: [] }] }),
      ports: withPorts(landing, {
        carousels: { answer: () => ({ status: 200, contentType: 'text/xml', body: '<ArrayOfTitle/>' }) },
      }),
    },
  },
  {
    stage: subscriptionStage,
    beyond: {
      'subscription.quoting xstate.error.actor.quotePlan':
        'a server without subscription/change refuses nothing: the page goes on without a price',
    },
  },
  { stage: withoutProviders(signIn), beyond: beyondForms('signIn') },
  {
    stage: {
      ...withoutProviders(signUp),
      models: withCases(signUp.models, { 'xstate.done.actor.loadFields': [{ output: [] }] }),
      ports: withPorts(signUp, { loadFields: { says: () => true } }),
    },
    beyond: beyondForms('signUp'),
  },
  { stage: forgotPassword },
  { stage: libraryStage },
];
