import type { ownSubscriptionMachine } from '../../../../machines/account/own-subscription.ts';
import type { HeldSubscription } from '../../../../machines/model/buying/subscription.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { store } from '../../../../machines/path-models/path-model.ts';
import { waitForFlowAndRecorder } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { stubStore } from '../../store.ts';
import { json, xml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';

const headings: Headings<typeof ownSubscriptionMachine> = {
  loading: 'Subscription',
  held: 'Subscription',
  leaving: 'Subscription',
  asking: 'Subscription',
  cancelling: 'Subscription',
  resuming: 'Subscription',
  refreshing: 'Subscription',
  offered: 'Subscription',
  none: null,
  failed: 'We couldn’t load your subscription',
};

export const adapter: BrowserAdapter = {
  name: 'ownSubscription',
  models: models.filter(({ name }) => name === 'ownSubscription'),
  address: () => '/account',
  startsSignedIn: () => true,
  headings,
  prepares: async ({ page }, { input }) => {
    const { sells } = input as { sells: boolean };
    await stubStore(page, { store: { ...store, enableSubscription: sells } });
    return undefined;
  },
  arrives: waitForFlowAndRecorder,
  ports: {
    loadSubscription: {
      asks: ({ pathname }) => pathname.endsWith('/user/subscription'),
      answer: (subscription: HeldSubscription | null) => json({ subscription }),
      says: (subscription: HeldSubscription | null, body) => subscription === null && body === '{"subscription":null}',
    },
    cancelSubscription: {
      asks: ({ pathname }) => pathname.endsWith('/user/subscription/cancel'),
      answer: () => xml(renderElement('Result', [renderFields({ Status: 'Ok' })])),
    },
    resumeSubscription: {
      asks: ({ pathname }) => pathname.endsWith('/user/subscription/resume'),
      answer: () => xml(renderElement('Result', [renderFields({ Status: 'Ok' })])),
    },
    // The shop's server has no such subscription: a page of its own replaces the gateway's.
    openPortal: {
      asks: ({ pathname }) => pathname.endsWith('/customer/portal/session'),
      answer: () => json({ url: '/favicon.svg' }),
    },
  },
  causes: {
    'xstate.done.actor.openPortal': async (world, event) => {
      await world.settle(event);
      await world.page.waitForURL('**/favicon.svg');
    },
  },
};
