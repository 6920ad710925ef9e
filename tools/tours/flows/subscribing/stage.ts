import { subscribedPath } from '../../../../machines/model/paths.ts';
import type { CardPayment, subscribingMachine } from '../../../../machines/buying/subscribing.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { Card } from '../../../../machines/model/card.ts';
import type { HeldSubscription, Plan } from '../../../../machines/model/subscription.ts';
import { element, fields } from '../../../../server/base/xml/write.ts';
import { stubGateway } from '../../causes.ts';
import type { Headings, Stage } from '../../stage.ts';
import { withStoreOf } from '../../store.ts';
import { json, xml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/subscribing/paths.ts';

const headings: Headings<typeof subscribingMachine> = {
  deciding: null,
  loading: null,
  findingCards: null,
  offering: 'Your subscription',
  actionRequired: 'Complete your payment',
  confirming: null,
  confirmed: 'You’re subscribed.',
  asking: null,
  lookingUp: null,
  unknown: 'We don’t know yet whether your payment went through',
  refused: 'You haven’t subscribed',
  welcoming: null,
  welcomed: 'Thank you!',
  subscribed: 'You’re already subscribed',
  notFound: 'Your subscription',
  failed: 'We couldn’t load your subscription',
};

const planWire = ({ id, name, price, interval, trialDays, credits }: Plan) =>
  xml(
    element('Plan', [
      fields({
        PlanId: id,
        Name: name,
        Amount: price?.amount,
        Currency: price?.currency,
        CurrencySymbol: price?.symbol,
        Interval: interval,
        TrialDays: trialDays,
        Credits: credits,
      }),
    ]),
  );

export const stage: Stage = {
  name: 'subscribing',
  models,
  address: ({ route }: FlowInput) => route.path,
  headings,
  prepares: async (world, { input }) => {
    const { store, route } = input as FlowInput;
    await withStoreOf(world.page, { store });
    // Where the shop is left for, there is nothing to show: its page stays, as it does while it is being left.
    await stubGateway(world);
    const isLeft = ({ hostname, pathname }: URL) => hostname === 'gateway.example' || pathname === subscribedPath;
    if (route.path !== subscribedPath) await world.page.route(isLeft, (request) => request.fulfill({ status: 204 }));
    return undefined;
  },
  reacts: ({ type }) => (type === 'leave' ? null : undefined),
  ports: {
    loadPlan: {
      asks: ({ pathname }) => pathname.endsWith('/plans/monthly'),
      answer: ([plan]: Plan[]) =>
        plan === undefined ? xml(element('Error', [fields({ StatusCode: 404, Status: 'NotFound' })]), 404) : planWire(plan),
      says: (plans: Plan[], body) => body.includes('<PlanId>') === plans.length > 0,
    },
    loadCards: {
      asks: ({ pathname }) => pathname.endsWith('/card/all'),
      answer: (cards: Card[]) =>
        xml(
          element(
            'Cards',
            cards.map(({ id, pii }) =>
              element('Card', [
                fields({ CardId: id, Brand: pii.brand, LastFour: pii.last4, ExpiryMonth: 12, ExpiryYear: 2034, Default: true }),
              ]),
            ),
          ),
        ),
      says: (cards: Card[], body) => cards.length === 0 && !body.includes('<Card>'),
    },
    startByCard: {
      asks: ({ pathname }) => pathname.endsWith('/api/subscription/purchase'),
      answer: (payment: CardPayment) => json({ ...payment, status: 'actionRequired' }),
    },
    startSubscribing: {
      asks: ({ pathname }) => pathname.endsWith('/checkout/subscription/session'),
      answer: ({ url }: { url: string }) => json({ transId: 's1', provider: 'test', url }),
      serverGives: ({ type }) => type.startsWith('xstate.done.'),
    },
    confirmSubscription: {
      asks: ({ pathname }) => pathname.endsWith('/subscription/confirm'),
      answer: () => json({ subscriptionId: 's1', status: 'active' }),
    },
    loadSubscription: {
      asks: ({ pathname }) => pathname.endsWith('/user/subscription'),
      answer: (subscription: HeldSubscription | null) => json({ subscription }),
      says: (subscription: HeldSubscription | null, body) => subscription === null && body === '{"subscription":null}',
    },
  },
};
