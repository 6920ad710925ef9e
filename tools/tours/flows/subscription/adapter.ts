import type { HeldSubscription, Plan, PlanQuote } from '../../../../machines/model/buying/subscription.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { subscriptionMachine } from '../../../../machines/buying/subscription.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { goBackTo, chooseLanguages } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { stubStore } from '../../store.ts';
import { toJsonResponse, toXmlResponse } from '../../wires.ts';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import { models } from '../../../../machines/path-models/flows/subscription/paths.ts';

const subscriptionHeadings: Headings<typeof subscriptionMachine> = {
  deciding: 'Subscriptions',
  loading: 'Subscriptions',
  checking: 'Subscriptions',
  offered: 'Subscriptions',
  subscribed: 'Subscriptions',
  quoting: 'Subscriptions',
  asking: 'Subscriptions',
  changing: 'Subscriptions',
  refreshing: 'Subscriptions',
  notFound: 'Subscriptions',
  closed: 'Subscriptions',
  failed: 'We couldn’t load the subscriptions',
};

const renderPlan = ({ id, name, description, price, interval, trialDays, credits }: Plan) =>
  renderElement('Plan', [
    renderFields({
      PlanId: id,
      Name: name,
      Description: description,
      Amount: price?.amount,
      Currency: price?.currency,
      CurrencySymbol: price?.symbol,
      Interval: interval,
      TrialDays: trialDays,
      Credits: credits,
    }),
  ]);

/**
 * Whether an event is possible. On the page of one plan, any failure to load it means “missing”.
 */
const isPossible = ({ context }: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  if ((context as { wanted: string }).wanted === '') return true;
  if (event.type === 'xstate.error.actor.loadPlans') return false;
  return event.type !== 'xstate.done.actor.loadPlans' || (event['output'] as Plan[]).length < 2;
};

export const adapter: BrowserAdapter = {
  name: 'subscription',
  models,
  reusesPage: true,
  getStartPath: ({ route }: FlowInput) => route.path,
  headings: subscriptionHeadings,
  prepare: async (walk, { input }) => {
    await stubStore(walk.page, input as FlowInput);
    return undefined;
  },
  isPossible,
  causes: {
    'language.changed': (walk) => chooseLanguages(walk),
    'xstate.done.actor.changePlan': async (walk, event) => {
      await walk.settle(event);
      await walk.page.waitForURL('**/favicon.svg');
    },
    'route.changed': ({ page }, { route }) => goBackTo(page, (route as FlowInput['route']).path),
  },
  ports: {
    loadPlans: {
      matches: ({ pathname }) => /\/plans(?:\/[^/]+)?$/.test(pathname),
      toResponse: (plans: Plan[], { pathname }) => {
        if (pathname.endsWith('/plans')) return toXmlResponse(renderElement('Plans', plans.map(renderPlan)));
        const [plan] = plans;
        return plan === undefined
          ? toXmlResponse(renderElement('Error', [renderFields({ StatusCode: 404 })]), 404)
          : toXmlResponse(renderPlan(plan));
      },
      isEquivalent: (plans: Plan[], body, { pathname }) =>
        pathname.endsWith('/plans')
          ? plans.length === body.split('<Plan>').length - 1
          : body.includes('<PlanId>') === plans.length > 0,
    },
    loadSubscription: {
      matches: ({ pathname }) => pathname.endsWith('/user/subscription'),
      toResponse: (subscription: HeldSubscription | null) => toJsonResponse({ subscription }),
      isEquivalent: (subscription: HeldSubscription | null, body) => subscription === null && body === '{"subscription":null}',
    },
    quotePlan: {
      matches: ({ pathname }) => pathname.endsWith('/subscription/change'),
      toResponse: (quote: PlanQuote) => toJsonResponse(quote),
    },
    // The gateway has no such subscription: a file of the shop replaces the gateway's page.
    changePlan: {
      matches: ({ pathname }) => pathname.endsWith('/customer/portal/session'),
      toResponse: () => toJsonResponse({ url: '/favicon.svg' }),
    },
  },
};
