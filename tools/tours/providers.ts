import { expect } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import type { Provider } from '../../machines/model/account/provider.ts';
import { element, fields } from '../../server/base/xml/write.ts';
import { isRecordedInStoppedTime, returnToPage } from './causes.ts';
import { press } from './press.ts';
import type { World } from './stage.ts';
import { sessionAnswer, xml } from './wires.ts';

/** An address of the shop's own, so that the record of the visit is still there. */
const place = '/at-the-provider';

const providerElement = ({ id, kind, name }: Provider) => element('Provider', [fields({ Id: id, Kind: kind, Name: name })]);

export const providersXml = (providers: Provider[]) => xml(element('Providers', providers.map(providerElement)));

export const startXml = (url: string) => xml(element('ProviderSignIn', [fields({ Url: url, State: 'S'.repeat(43) })]));

/** The provider has nothing to show: the shop's page stays where it is, as it does while it is being left. */
export const stubProvider = ({ page }: World): Promise<unknown> =>
  page.route(
    (url) => url.pathname === place || url.hostname === 'provider.example',
    (route) => route.fulfill({ status: 204 }),
  );

/** A tour on which somebody goes to a provider finds one in the store. */
export const offerProvider = async (world: World): Promise<undefined> => {
  if (!world.ahead.some(({ event }) => ['leave', 'page.returned', 'session.started'].includes(event.type))) return;
  const { page, shop } = world;
  world.injected('a provider, in a store that has none');
  await stubProvider(world);
  await page.route('**/api/user/providers?*', (route) =>
    route.fulfill(
      providersXml([
        { id: 'google', kind: 'oidc', name: 'Google' },
        { id: 'phone', kind: 'phone', name: 'Phone' },
      ]),
    ),
  );
  await page.route('**/api/user/provider/start?*', (route) => route.fulfill(startXml(`${shop.url}${place}?state=S`)));
};

/** A tour on which a customer goes to a provider from their account finds one that can be joined. */
export const offerJoining = async (world: World): Promise<void> => {
  if (!world.ahead.some(({ event }) => event.type === 'page.returned')) return;
  const { page, shop } = world;
  world.injected('a provider, in a store that has none');
  await stubProvider(world);
  const google = { providerId: 'google', kind: 'oidc', name: 'Google', joined: false };
  await page.route('**/api/user/ways/providers?*', (route) => route.fulfill({ json: { providers: [google] } }));
  const start = { url: `${shop.url}${place}?state=S`, state: 'S'.repeat(43) };
  await page.route('**/api/user/ways/start?*', (route) => route.fulfill({ json: start }));
};

/** Goes to the provider that `offerJoining` offers, and back without having joined it. */
export const returnFromJoining = async (world: World): Promise<void> => {
  const providers = world.page.locator('[data-flow="ownProviders"]');
  await providers.locator('[data-event="connect.pressed"]').click();
  await expect(providers).toHaveAttribute('data-state', '"leaving"');
  await returnToPage(world);
  await expect(providers).toHaveAttribute('data-state', '"shown"');
};

const goToProvider = (world: World): Promise<void> => press(world, { type: 'provider.pressed' });

/** Goes to the provider that `offerProvider` has put into the store, and stays there. */
export const leaveForProvider = async (world: World): Promise<void> => {
  await isRecordedInStoppedTime(world);
  await world.page.route(
    (url) => url.pathname === place,
    (route) => route.fulfill({ contentType: 'text/html', body: '<title>left</title>' }),
  );
  await goToProvider(world);
  await expect(world.page).toHaveTitle('left');
};

/** Goes to the provider, and back without having signed in. */
export const returnFromProvider = async (world: World): Promise<void> => {
  const providers = world.page.locator('[data-flow="providers"]');
  await goToProvider(world);
  await expect(providers).toHaveAttribute('data-state', '"leaving"');
  await returnToPage(world);
  await expect(providers).toHaveAttribute('data-state', '"offered"');
};

/** Every number gets a code, and every code is right. */
export const stubPhone = async ({ page }: World, asks = false): Promise<void> => {
  await page.route('**/api/user/phone/code?*', (route) =>
    route.fulfill(xml(element('Result', [fields({ Status: 'Ok', RequestId: 'opaque-id-of-the-request' })]))),
  );
  await page.route('**/api/user/phone/signin?*', (route) =>
    route.fulfill(sessionAnswer({ userId: 'u1', pii: { email: '' }, ...(asks ? { asks } : {}) })),
  );
};

/** A store whose customers sign in by telephone. */
export const offerPhone = async (world: World): Promise<undefined> => {
  world.injected('signing in by telephone, in a store that does not offer it');
  await world.page.route('**/api/user/providers?*', (route) =>
    route.fulfill(providersXml([{ id: 'phone', kind: 'phone', name: 'Phone' }])),
  );
};

/** Does not want to sign in by telephone after all. */
export const closePhone = ({ page }: World): Promise<void> =>
  page.locator('[data-flow="phone"] [data-event="cancel.pressed"]').click();

/** Signs in by a number and its code; `stubPhone` lets everybody in. */
export const signInByPhone = async ({ page }: World): Promise<void> => {
  const phone = page.locator('[data-flow="phone"]');
  await phone.locator('[name="phone"]').fill('+44 7400 123456');
  await phone.locator('[data-event="phone.submitted"]').click();
  await phone.locator('[name="code"]').fill('123456');
  await phone.locator('[data-event="code.submitted"]').click();
};

/** Signs in by telephone where `offerProvider` offers that. */
export const signInByItsPhone = async (world: World, { asks }: AnyEventObject): Promise<void> => {
  await stubPhone(world, asks === true);
  await world.page.locator('[data-event="provider.pressed"][data-value="phone"]').click();
  await signInByPhone(world);
};
