import { expect, type Page } from '@playwright/test';
import type { AnyMachineSnapshot } from 'xstate';
import type { SubscriptionStatus } from '../../../../machines/app/frame-setup.ts';
import type { StoreProperties, StoreTheme } from '../../../../machines/model/store/store.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { models } from '../../../../machines/path-models/shell/frame/paths.ts';
import { chooseLook, getLookSelect } from '../../../browser/frame.ts';
import { stubResponse, forcePropertiesRequest } from '../../../browser/wire.ts';
import { wakeAndWaitForFrame, changeOtherTabSession, getNextSettlement, blockStorage } from '../../causes.ts';
import type { GetReaction } from '../../in-shop.ts';
import type { BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { toJsonResponse, toXmlResponse } from '../../wires.ts';

/** Returns no reaction to a navigation: the frame remains when the screen in it changes. */
const getReaction: GetReaction = (fact, _, target) => (target === 'parent' && fact.type === 'go' ? null : undefined);

const getSearchField = (page: Page) => page.getByRole('combobox', { name: 'Search the shop' });

const stubProperties = async (
  { page }: WalkContext,
  { showCookieConsent, enableSubscription }: StoreProperties,
): Promise<void> => {
  await forcePropertiesRequest(page);
  const { body } = toXmlResponse(
    renderElement('StoreProperties', [
      renderFields({ ShelfId: 'harbour', ShowCookieConsent: showCookieConsent, EnableSubscription: enableSubscription }),
    ]),
  ) as { body: string };
  await stubResponse(page, '/store/properties', body);
};

type Value = { cookies: string; look: string };

const blockStorageIfRejected = async (walk: WalkContext, port: string): Promise<void> => {
  if (getNextSettlement(walk, port)?.type.startsWith('xstate.error.')) await blockStorage(walk);
};

const checkState = async ({ page }: WalkContext, snapshot: AnyMachineSnapshot): Promise<void> => {
  const { appearance, theme } = snapshot.context as { appearance: { background: string }; theme: StoreTheme };
  const subscribeLink = page.getByRole('banner').getByRole('link', { name: 'Subscribe' });
  const cookieNotice = page.getByRole('region', { name: 'Cookies' });
  await expect(subscribeLink).toHaveCount(snapshot.matches({ subscription: 'offered' }) ? 1 : 0);
  if (!snapshot.matches({ cookies: 'remembering' }))
    await expect(cookieNotice).toHaveCount(snapshot.matches({ cookies: 'noticed' }) ? 1 : 0);
  await expect(getLookSelect(page, 'background')).toHaveValue(appearance.background);
  const footer = page.getByRole('contentinfo');
  if (theme.footer === '#222222') await expect(footer).toHaveCSS('background-color', 'rgb(34, 34, 34)');
};

/** The frame has no element: its state shows in the top bar, the cookie notice and the footer. */
export const adapter: BrowserAdapter = {
  name: 'frame',
  models: models.filter(({ name }) => name === 'frame'),
  getStartPath: () => '/',
  getReaction,
  prepare: async (walk, model) => {
    await stubProperties(walk, (model.input as { store: StoreProperties }).store);
    const hasConsent = getNextSettlement(walk, 'consent')?.['output'] === true;
    if (hasConsent) await walk.page.addInitScript(() => localStorage.setItem('colophon.cookies', 'true'));
    return undefined;
  },
  openScreen: wakeAndWaitForFrame,
  checkState,
  ports: {
    subscriptionStatus: {
      matches: ({ pathname }) => pathname.endsWith('/subscription/status'),
      toResponse: (status: SubscriptionStatus) => toJsonResponse(status),
      isEquivalent: ({ subscribed }: SubscriptionStatus, body) => body.includes(`"subscribed":${subscribed}`),
    },
    storeTheme: {
      matches: ({ pathname }) => pathname.endsWith('/api/theme'),
      toResponse: (theme: object) => toJsonResponse(theme),
    },
  },
  // A port of the storage settles at once, before any other event.
  isPossible: (snapshot, { type }) => {
    const cookiesPort = { remembering: 'consent', keeping: 'saveConsent' }[String((snapshot.value as Value).cookies)];
    const pendingPort = cookiesPort ?? ((snapshot.value as Value).look === 'keeping' ? 'saveAppearance' : null);
    return pendingPort === null || type.endsWith(`.actor.${pendingPort}`);
  },
  settlesByItself: ({ type }) => /\.(?:consent|saveConsent|saveAppearance)$/.test(type),
  causes: {
    'session.changed': (walk, event) => changeOtherTabSession(walk, event),
    'consent.given': async (walk) => {
      await blockStorageIfRejected(walk, 'saveConsent');
      await walk.page.locator('[data-event="consent.given"]').click();
    },
    'look.chosen': async (walk, { appearance }) => {
      await blockStorageIfRejected(walk, 'saveAppearance');
      const { background } = appearance as { background: string };
      await chooseLook(walk.page, 'background', background);
    },
    go: async ({ page }) => {
      await getSearchField(page).fill('keeper');
      await page.clock.runFor(500);
      await page.locator('[data-event="suggestion.chosen"]').first().click();
    },
  },
};
