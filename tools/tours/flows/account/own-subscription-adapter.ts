import type { ownSubscriptionMachine } from '../../../../machines/account/own-subscription.ts';
import type { HeldSubscription } from '../../../../machines/model/buying/subscription.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { store } from '../../../../machines/path-models/path-model.ts';
import { waitForFlowAndRecorder } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { stubStore } from '../../store.ts';
import { toJsonResponse, toXmlResponse } from '../../wires.ts';
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
  getStartPath: () => '/account',
  startsSignedIn: () => true,
  headings,
  prepare: async ({ page }, { input }) => {
    const { sells: sellsSubscriptions } = input as { sells: boolean };
    await stubStore(page, { store: { ...store, enableSubscription: sellsSubscriptions } });
    return undefined;
  },
  openScreen: waitForFlowAndRecorder,
  ports: {
    loadSubscription: {
      matches: ({ pathname }) => pathname.endsWith('/user/subscription'),
      toResponse: (subscription: HeldSubscription | null) => toJsonResponse({ subscription }),
      isEquivalent: (subscription: HeldSubscription | null, body) => subscription === null && body === '{"subscription":null}',
    },
    cancelSubscription: {
      matches: ({ pathname }) => pathname.endsWith('/user/subscription/cancel'),
      toResponse: () => toXmlResponse(renderElement('Result', [renderFields({ Status: 'Ok' })])),
    },
    resumeSubscription: {
      matches: ({ pathname }) => pathname.endsWith('/user/subscription/resume'),
      toResponse: () => toXmlResponse(renderElement('Result', [renderFields({ Status: 'Ok' })])),
    },
    // The gateway has no such subscription: a file of the shop replaces the gateway's page.
    openPortal: {
      matches: ({ pathname }) => pathname.endsWith('/customer/portal/session'),
      toResponse: () => toJsonResponse({ url: '/favicon.svg' }),
    },
  },
  causes: {
    'xstate.done.actor.openPortal': async (walk, event) => {
      await walk.settle(event);
      await walk.page.waitForURL('**/favicon.svg');
    },
  },
};
