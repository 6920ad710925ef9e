import type { HeldSubscription, Plan, PlanQuote } from '../../../../machines/model/buying/subscription.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { subscriptionMachine } from '../../../../machines/buying/subscription.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { goBackTo, chooseLanguages } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { stubStore } from '../../store.ts';
import { json, xml } from '../../wires.ts';
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

const planElement = ({ id, name, description, price, interval, trialDays, credits }: Plan) =>
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

/** If the only plan of the page cannot be loaded, it counts as missing, for any reason. */
const isPossible = ({ context }: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  if ((context as { wanted: string }).wanted === '') return true;
  if (event.type === 'xstate.error.actor.loadPlans') return false;
  return event.type !== 'xstate.done.actor.loadPlans' || (event['output'] as Plan[]).length < 2;
};

export const adapter: BrowserAdapter = {
  name: 'subscription',
  models,
  reusesPage: true,
  address: ({ route }: FlowInput) => route.path,
  headings: subscriptionHeadings,
  prepares: async (world, { input }) => {
    await stubStore(world.page, input as FlowInput);
    return undefined;
  },
  isPossible,
  causes: {
    'language.changed': (world) => chooseLanguages(world),
    'xstate.done.actor.changePlan': async (world, event) => {
      await world.settle(event);
      await world.page.waitForURL('**/favicon.svg');
    },
    'route.changed': ({ page }, { route }) => goBackTo(page, (route as FlowInput['route']).path),
  },
  ports: {
    loadPlans: {
      asks: ({ pathname }) => /\/plans(?:\/[^/]+)?$/.test(pathname),
      answer: (plans: Plan[], { pathname }) => {
        if (pathname.endsWith('/plans')) return xml(renderElement('Plans', plans.map(planElement)));
        const [plan] = plans;
        return plan === undefined
          ? xml(renderElement('Error', [renderFields({ StatusCode: 404 })]), 404)
          : xml(planElement(plan));
      },
      says: (plans: Plan[], body, { pathname }) =>
        pathname.endsWith('/plans')
          ? plans.length === body.split('<Plan>').length - 1
          : body.includes('<PlanId>') === plans.length > 0,
    },
    loadSubscription: {
      asks: ({ pathname }) => pathname.endsWith('/user/subscription'),
      answer: (subscription: HeldSubscription | null) => json({ subscription }),
      says: (subscription: HeldSubscription | null, body) => subscription === null && body === '{"subscription":null}',
    },
    quotePlan: {
      asks: ({ pathname }) => pathname.endsWith('/subscription/change'),
      answer: (quote: PlanQuote) => json(quote),
    },
    // The shop's server has no such subscription: a page of its own replaces the gateway's.
    changePlan: {
      asks: ({ pathname }) => pathname.endsWith('/customer/portal/session'),
      answer: () => json({ url: '/favicon.svg' }),
    },
  },
};
