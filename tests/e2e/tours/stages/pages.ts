import type { AnyEventObject } from 'xstate';
import type { accountMachine } from '../../../../machines/account/account.ts';
import type { SubscriptionStatus } from '../../../../machines/app/frame.ts';
import type { FlowInput } from '../../../../machines/model/flow.ts';
import type { ContentPage } from '../../../../machines/model/page.ts';
import type { PurchaseRecord } from '../../../../machines/model/purchase.ts';
import type { pageMachine } from '../../../../machines/browsing/page.ts';
import type { placeholderMachine } from '../../../../machines/browsing/static-pages.ts';
import type { subscriptionMachine } from '../../../../machines/buying/subscription.ts';
import { element, fields } from '../../../../server/xml/write.ts';
import { summary } from '../../../machines/model.ts';
import { pageModels } from '../../../machines/pages.paths.ts';
import { inOtherTabSession, nextOf } from '../causes.ts';
import type { Headings, Stage } from '../stage.ts';
import { withStoreOf } from '../store.ts';
import { json, titleElement, xml } from '../wires.ts';

const modelsOf = (machine: string) => pageModels.filter(({ name }) => name === machine);

const ofPage: Headings<typeof pageMachine> = {
  loading: null,
  shown: 'The Reading Circle',
  forCustomers: null,
  notFound: 'There is no such page',
  failed: 'The page did not come',
};

export const page: Stage = {
  name: 'page',
  models: modelsOf('page'),
  address: ({ route: { params } }: FlowInput) =>
    params['campaign'] === undefined ? `/pages/${params['kind']}/${params['page']}` : `/campaign/${params['campaign']}`,
  headings: ofPage,
  ports: {
    page: {
      asks: ({ pathname }) => /\/api\/(?:pages\/|campaign\/titles$)/.test(pathname),
      answer: ({ name, html }: ContentPage, { pathname }) =>
        pathname.endsWith('/titles')
          ? xml(element('Campaign', [fields({ CampaignId: 'spring', Name: name, Message: html })]))
          : json({ name: 'reading-circle', title: name, html }),
      says: ({ name }: ContentPage, body) => body.includes(`"title":"${name}"`),
    },
  },
  causes: { 'session.changed': (world, event) => inOtherTabSession(world, event) },
};

const ofPlaceholder: Headings<typeof placeholderMachine> = { shown: 'Redeem a code' };

export const placeholder: Stage = {
  name: 'placeholder',
  models: modelsOf('placeholder'),
  address: () => '/redeem',
  headings: ofPlaceholder,
  ports: {},
};

const ofSubscription: Headings<typeof subscriptionMachine> = {
  deciding: 'Subscriptions',
  checking: 'Subscriptions',
  offered: 'Subscriptions',
  subscribed: 'Subscriptions',
  closed: 'Subscriptions',
  failed: 'We could not see whether you have subscribed',
};

export const subscription: Stage = {
  name: 'subscription',
  models: modelsOf('subscription'),
  address: ({ route }: FlowInput) => route.path,
  headings: ofSubscription,
  prepares: async (world, { input }) => {
    await withStoreOf(world.page, input as FlowInput);
    return undefined;
  },
  ports: {
    subscriptionStatus: {
      asks: ({ pathname }) => pathname.endsWith('/subscription/status'),
      answer: (status: SubscriptionStatus) => json(status),
      says: ({ subscribed }: SubscriptionStatus, body) => body.includes(`"subscribed":${subscribed}`),
    },
  },
  causes: { 'session.changed': (world, event) => inOtherTabSession(world, event) },
};

const ofAccount: Headings<typeof accountMachine> = {
  loading: 'Account',
  shown: 'Account',
  empty: 'Account',
  expired: 'Account',
  failed: 'Your purchases could not be shown',
};

const recordElement = ({ paid, name, ...record }: PurchaseRecord) =>
  element('Purchase', [
    fields({
      InstanceId: record.instanceId,
      TitleId: record.titleId,
      PurchasedAt: record.purchasedAt,
      Progress: 0,
      Paid: paid?.amount,
      Currency: paid?.currency,
      CurrencySymbol: paid?.symbol,
    }),
    titleElement({ ...summary, name }),
  ]);

const hasSome = (answer: AnyEventObject | null): boolean => ((answer?.['output'] ?? []) as PurchaseRecord[]).length > 0;

export const account: Stage = {
  name: 'account',
  models: modelsOf('account'),
  address: ({ route }: FlowInput) => route.path,
  headings: ofAccount,
  prepares: async (world) => {
    if (hasSome(nextOf(world, 'purchaseRecords'))) await (await world.customer()).buys('1001');
    return undefined;
  },
  ports: {
    purchaseRecords: {
      asks: ({ pathname }) => pathname.endsWith('/user/purchases'),
      answer: (records: PurchaseRecord[]) => xml(element('Purchases', records.map(recordElement))),
      says: (records: PurchaseRecord[], body) => records.length > 0 === body.includes('<Purchase>'),
    },
  },
  causes: {
    'session.changed': (world, event) =>
      inOtherTabSession(world, event, async (customer) => {
        if (hasSome(nextOf(world, 'purchaseRecords'))) await customer.buys('1001');
      }),
  },
};
