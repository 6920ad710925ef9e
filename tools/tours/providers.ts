import { expect } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import type { Provider } from '../../machines/model/account/provider.ts';
import { renderElement, renderFields } from '../../server/base/xml/write.ts';
import { waitForRecorderWithPausedClock, returnToPage } from './causes.ts';
import { press } from './press.ts';
import type { WalkContext } from './browser-adapter.ts';
import { toSessionXml, xml } from './wires.ts';

/** An address of the shop itself, so that the record of the visit is kept. */
const PROVIDER_PATH = '/at-the-provider';

const providerElement = ({ id, kind, name }: Provider) =>
  renderElement('Provider', [renderFields({ Id: id, Kind: kind, Name: name })]);

export const toProvidersXml = (providers: Provider[]) => xml(renderElement('Providers', providers.map(providerElement)));

export const toStartXml = (url: string) =>
  xml(renderElement('ProviderSignIn', [renderFields({ Url: url, State: 'S'.repeat(43) })]));

/**
 * Answers the provider with 204 No Content, so that the browser stays on the shop's page while it
 * is leaving.
 */
export const stubProvider = ({ page }: WalkContext): Promise<unknown> =>
  page.route(
    (url) => url.pathname === PROVIDER_PATH || url.hostname === 'provider.example',
    (route) => route.fulfill({ status: 204 }),
  );

/** Adds a provider to the store for walks that go to one. */
export const offerProvider = async (world: WalkContext): Promise<undefined> => {
  if (!world.ahead.some(({ event }) => ['leave', 'page.returned', 'session.started'].includes(event.type))) return;
  const { page, shop } = world;
  world.injected('a provider in a store without providers');
  await stubProvider(world);
  await page.route('**/api/user/providers?*', (route) =>
    route.fulfill(
      toProvidersXml([
        { id: 'google', kind: 'oidc', name: 'Google' },
        { id: 'phone', kind: 'phone', name: 'Phone' },
      ]),
    ),
  );
  await page.route('**/api/user/provider/start?*', (route) => route.fulfill(toStartXml(`${shop.url}${PROVIDER_PATH}?state=S`)));
};

/** Adds a provider that can be connected for walks that go to one from the account. */
export const offerJoining = async (world: WalkContext): Promise<void> => {
  if (!world.ahead.some(({ event }) => event.type === 'page.returned')) return;
  const { page, shop } = world;
  world.injected('a provider in a store without providers');
  await stubProvider(world);
  const google = { providerId: 'google', kind: 'oidc', name: 'Google', joined: false };
  await page.route('**/api/user/ways/providers?*', (route) => route.fulfill({ json: { providers: [google] } }));
  const start = { url: `${shop.url}${PROVIDER_PATH}?state=S`, state: 'S'.repeat(43) };
  await page.route('**/api/user/ways/start?*', (route) => route.fulfill({ json: start }));
};

/** Goes to the provider of `offerJoining`, and returns without connecting it. */
export const returnFromJoining = async (world: WalkContext): Promise<void> => {
  const providers = world.page.locator('[data-flow="ownProviders"]');
  await providers.locator('[data-event="connect.pressed"]').click();
  await expect(providers).toHaveAttribute('data-state', '"leaving"');
  await returnToPage(world);
  await expect(providers).toHaveAttribute('data-state', '"shown"');
};

const goToProvider = (world: WalkContext): Promise<void> => press(world, { type: 'provider.pressed' });

/** Goes to the provider of `offerProvider`, and stays there. */
export const leaveForProvider = async (world: WalkContext): Promise<void> => {
  await waitForRecorderWithPausedClock(world);
  await world.page.route(
    (url) => url.pathname === PROVIDER_PATH,
    (route) => route.fulfill({ contentType: 'text/html', body: '<title>left</title>' }),
  );
  await goToProvider(world);
  await expect(world.page).toHaveTitle('left');
};

/** Goes to the provider, and returns without signing in. */
export const returnFromProvider = async (world: WalkContext): Promise<void> => {
  const providers = world.page.locator('[data-flow="providers"]');
  await goToProvider(world);
  await expect(providers).toHaveAttribute('data-state', '"leaving"');
  await returnToPage(world);
  await expect(providers).toHaveAttribute('data-state', '"offered"');
};

/** Every number receives a code, and every code is right. */
export const stubPhone = async ({ page }: WalkContext, asks = false): Promise<void> => {
  await page.route('**/api/user/phone/code?*', (route) =>
    route.fulfill(xml(renderElement('Result', [renderFields({ Status: 'Ok', RequestId: 'opaque-id-of-the-request' })]))),
  );
  await page.route('**/api/user/phone/signin?*', (route) =>
    route.fulfill(toSessionXml({ userId: 'u1', pii: { email: '' }, ...(asks ? { asks } : {}) })),
  );
};

/** A store with sign-in by phone. */
export const offerPhone = async (world: WalkContext): Promise<undefined> => {
  world.injected('sign-in by phone in a store that does not offer it');
  await world.page.route('**/api/user/providers?*', (route) =>
    route.fulfill(toProvidersXml([{ id: 'phone', kind: 'phone', name: 'Phone' }])),
  );
};

/** Cancels the sign-in by phone. */
export const closePhone = ({ page }: WalkContext): Promise<void> =>
  page.locator('[data-flow="phone"] [data-event="cancel.pressed"]').click();

/** Signs in with a phone number and a code; `stubPhone` accepts any. */
export const signInByPhone = async ({ page }: WalkContext): Promise<void> => {
  const phone = page.locator('[data-flow="phone"]');
  await phone.locator('[name="phone"]').fill('+44 7400 123456');
  await phone.locator('[data-event="phone.submitted"]').click();
  await phone.locator('[name="code"]').fill('123456');
  await phone.locator('[data-event="code.submitted"]').click();
};

/** Signs in by phone, which `offerProvider` offers. */
export const signInByOfferedPhone = async (world: WalkContext, { asks }: AnyEventObject): Promise<void> => {
  await stubPhone(world, asks === true);
  await world.page.locator('[data-event="provider.pressed"][data-value="phone"]').click();
  await signInByPhone(world);
};
