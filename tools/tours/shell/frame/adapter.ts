import { expect, type Page } from '@playwright/test';
import type { AnyMachineSnapshot } from 'xstate';
import type { SubscriptionStatus } from '../../../../machines/app/frame-setup.ts';
import type { StoreProperties, StoreTheme } from '../../../../machines/model/store/store.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { models } from '../../../../machines/path-models/shell/frame/paths.ts';
import { chooseLook, getLookSelect } from '../../../browser/frame.ts';
import { stubResponse, forcePropertiesRequest } from '../../../browser/wire.ts';
import { wakeAndWaitForFrame, changeOtherTabSession, getNextSettlement, blockStorage } from '../../causes.ts';
import type { Reacts } from '../../in-shop.ts';
import type { BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { json, xml } from '../../wires.ts';

/** The frame remains when the screens within it change. */
const reacts: Reacts = (fact, _, to) => (to === 'parent' && fact.type === 'go' ? null : undefined);

const searchField = (page: Page) => page.getByRole('combobox', { name: 'Search the shop' });

const stubProperties = async (
  { page }: WalkContext,
  { showCookieConsent, enableSubscription }: StoreProperties,
): Promise<void> => {
  await forcePropertiesRequest(page);
  const { body } = xml(
    renderElement('StoreProperties', [
      renderFields({ ShelfId: 'harbour', ShowCookieConsent: showCookieConsent, EnableSubscription: enableSubscription }),
    ]),
  ) as { body: string };
  await stubResponse(page, '/store/properties', body);
};

type Value = { cookies: string; look: string };

const blockStorageIfRejected = async (world: WalkContext, port: string): Promise<void> => {
  if (getNextSettlement(world, port)?.type.startsWith('xstate.error.')) await blockStorage(world);
};

const shows = async ({ page }: WalkContext, snapshot: AnyMachineSnapshot): Promise<void> => {
  const { appearance, theme } = snapshot.context as { appearance: { background: string }; theme: StoreTheme };
  const offer = page.getByRole('banner').getByRole('link', { name: 'Subscribe' });
  const notice = page.getByRole('region', { name: 'Cookies' });
  await expect(offer).toHaveCount(snapshot.matches({ subscription: 'offered' }) ? 1 : 0);
  if (!snapshot.matches({ cookies: 'remembering' }))
    await expect(notice).toHaveCount(snapshot.matches({ cookies: 'noticed' }) ? 1 : 0);
  await expect(getLookSelect(page, 'background')).toHaveValue(appearance.background);
  const foot = page.getByRole('contentinfo');
  if (theme.footer === '#222222') await expect(foot).toHaveCSS('background-color', 'rgb(34, 34, 34)');
};

/** The frame has no element: the top bar, the notice and the footer are present or not. */
export const adapter: BrowserAdapter = {
  name: 'frame',
  models: models.filter(({ name }) => name === 'frame'),
  address: () => '/',
  reacts,
  prepares: async (world, model) => {
    await stubProperties(world, (model.input as { store: StoreProperties }).store);
    const hasConsent = getNextSettlement(world, 'consent')?.['output'] === true;
    if (hasConsent) await world.page.addInitScript(() => localStorage.setItem('colophon.cookies', 'true'));
    return undefined;
  },
  arrives: wakeAndWaitForFrame,
  shows,
  ports: {
    subscriptionStatus: {
      asks: ({ pathname }) => pathname.endsWith('/subscription/status'),
      answer: (status: SubscriptionStatus) => json(status),
      says: ({ subscribed }: SubscriptionStatus, body) => body.includes(`"subscribed":${subscribed}`),
    },
    storeTheme: {
      asks: ({ pathname }) => pathname.endsWith('/api/theme'),
      answer: (theme: object) => json(theme),
    },
  },
  // Storage settles at once, before any other event.
  isPossible: (snapshot, { type }) => {
    const settling = { remembering: 'consent', keeping: 'keepConsent' }[String((snapshot.value as Value).cookies)];
    const due = settling ?? ((snapshot.value as Value).look === 'keeping' ? 'keepAppearance' : null);
    return due === null || type.endsWith(`.actor.${due}`);
  },
  comesByItself: ({ type }) => /\.(?:consent|keepConsent|keepAppearance)$/.test(type),
  causes: {
    'session.changed': (world, event) => changeOtherTabSession(world, event),
    'consent.given': async (world) => {
      await blockStorageIfRejected(world, 'keepConsent');
      await world.page.locator('[data-event="consent.given"]').click();
    },
    'look.chosen': async (world, { appearance }) => {
      await blockStorageIfRejected(world, 'keepAppearance');
      const { background } = appearance as { background: string };
      await chooseLook(world.page, 'background', background);
    },
    go: async ({ page }) => {
      await searchField(page).fill('keeper');
      await page.clock.runFor(500);
      await page.locator('[data-event="suggestion.chosen"]').first().click();
    },
  },
};
