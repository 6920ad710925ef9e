import { expect } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import type { Provider } from '../../machines/model/account/provider.ts';
import { renderElement, renderFields } from '../../server/base/xml/write.ts';
import { waitForRecorderWithPausedClock, returnToPage } from './causes.ts';
import { press } from './press.ts';
import type { WalkContext } from './browser-adapter.ts';
import { toSessionXml, toXmlResponse } from './wires.ts';

/** The provider's page: a path of the shop itself, so that the trace of the visit is kept. */
const PROVIDER_PATH = '/at-the-provider';

const renderProvider = ({ id, kind, name }: Provider) =>
  renderElement('Provider', [renderFields({ Id: id, Kind: kind, Name: name })]);

export const toProvidersXml = (providers: Provider[]) => toXmlResponse(renderElement('Providers', providers.map(renderProvider)));

export const toStartXml = (url: string) =>
  toXmlResponse(renderElement('ProviderSignIn', [renderFields({ Url: url, State: 'S'.repeat(43) })]));

/**
 * Responds for the provider with 204 No Content, so that the browser stays on the shop's page when
 * the app navigates to the provider.
 */
export const stubProvider = ({ page }: WalkContext): Promise<unknown> =>
  page.route(
    (url) => url.pathname === PROVIDER_PATH || url.hostname === 'provider.example',
    (route) => route.fulfill({ status: 204 }),
  );

/** Adds providers to the store for walks that sign in by a provider. */
export const offerProvider = async (walk: WalkContext): Promise<undefined> => {
  if (!walk.remainingSteps.some(({ event }) => ['leave', 'page.returned', 'session.started'].includes(event.type))) return;
  const { page, shop } = walk;
  walk.recordInjection('a provider in a store without providers');
  await stubProvider(walk);
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

/** Adds a provider that can be connected for walks that visit it from the account. */
export const offerConnectableProvider = async (walk: WalkContext): Promise<void> => {
  if (!walk.remainingSteps.some(({ event }) => event.type === 'page.returned')) return;
  const { page, shop } = walk;
  walk.recordInjection('a provider in a store without providers');
  await stubProvider(walk);
  const google = { providerId: 'google', kind: 'oidc', name: 'Google', joined: false };
  await page.route('**/api/user/ways/providers?*', (route) => route.fulfill({ json: { providers: [google] } }));
  const start = { url: `${shop.url}${PROVIDER_PATH}?state=S`, state: 'S'.repeat(43) };
  await page.route('**/api/user/ways/start?*', (route) => route.fulfill({ json: start }));
};

/** Visits the provider of `offerConnectableProvider`, and returns without connecting it. */
export const returnFromConnecting = async (walk: WalkContext): Promise<void> => {
  const providers = walk.page.locator('[data-flow="ownProviders"]');
  await providers.locator('[data-event="connect.pressed"]').click();
  await expect(providers).toHaveAttribute('data-state', '"leaving"');
  await returnToPage(walk);
  await expect(providers).toHaveAttribute('data-state', '"shown"');
};

const goToProvider = (walk: WalkContext): Promise<void> => press(walk, { type: 'provider.pressed' });

/** Visits the provider of `offerProvider`, and stays there. */
export const leaveForProvider = async (walk: WalkContext): Promise<void> => {
  await waitForRecorderWithPausedClock(walk);
  await walk.page.route(
    (url) => url.pathname === PROVIDER_PATH,
    (route) => route.fulfill({ contentType: 'text/html', body: '<title>left</title>' }),
  );
  await goToProvider(walk);
  await expect(walk.page).toHaveTitle('left');
};

/** Visits the provider, and returns without signing in. */
export const returnFromProvider = async (walk: WalkContext): Promise<void> => {
  const providers = walk.page.locator('[data-flow="providers"]');
  await goToProvider(walk);
  await expect(providers).toHaveAttribute('data-state', '"leaving"');
  await returnToPage(walk);
  await expect(providers).toHaveAttribute('data-state', '"offered"');
};

/**
 * Makes the server send a code to every number and accept every code; with `hasQuestions` the
 * session says that the store's questions are open.
 */
export const stubPhone = async ({ page }: WalkContext, hasQuestions = false): Promise<void> => {
  await page.route('**/api/user/phone/code?*', (route) =>
    route.fulfill(
      toXmlResponse(renderElement('Result', [renderFields({ Status: 'Ok', RequestId: 'opaque-id-of-the-request' })])),
    ),
  );
  await page.route('**/api/user/phone/signin?*', (route) =>
    route.fulfill(toSessionXml({ userId: 'u1', pii: { email: '' }, ...(hasQuestions ? { asks: true } : {}) })),
  );
};

/** Adds sign-in by phone to the store. */
export const offerPhone = async (walk: WalkContext): Promise<undefined> => {
  walk.recordInjection('sign-in by phone in a store that does not offer it');
  await walk.page.route('**/api/user/providers?*', (route) =>
    route.fulfill(toProvidersXml([{ id: 'phone', kind: 'phone', name: 'Phone' }])),
  );
};

/** Cancels the sign-in by phone. */
export const closePhone = ({ page }: WalkContext): Promise<void> =>
  page.locator('[data-flow="phone"] [data-event="cancel.pressed"]').click();

/** Signs in with a phone number and a code; `stubPhone` accepts any. */
export const signInByPhone = async ({ page }: WalkContext): Promise<void> => {
  const phoneForm = page.locator('[data-flow="phone"]');
  await phoneForm.locator('[name="phone"]').fill('+44 7400 123456');
  await phoneForm.locator('[data-event="phone.submitted"]').click();
  await phoneForm.locator('[name="code"]').fill('123456');
  await phoneForm.locator('[data-event="code.submitted"]').click();
};

/** Signs in by phone, which `offerProvider` has added to the store. */
export const signInByOfferedPhone = async (walk: WalkContext, { asks }: AnyEventObject): Promise<void> => {
  await stubPhone(walk, asks === true);
  await walk.page.locator('[data-event="provider.pressed"][data-value="phone"]').click();
  await signInByPhone(walk);
};
