import { beforeEach, expect, test } from 'vitest';
import { createActor, waitFor } from 'xstate';
import { createBrowserEnvironment } from '../../../src/shell/app/browser-environment.ts';
import { createBoot } from '../../../src/shell/ports/store.ts';
import { createShopEnvironment } from '../../support/client/shop-environment.ts';
import { config, createFakeServer } from '../../support/client/fake-environment.ts';

const readIcon = () => document.querySelector<HTMLLinkElement>('link[rel=icon]')?.getAttribute('href');
const { showIcon } = createBrowserEnvironment(Promise.resolve());

const openStore = async (answer: () => Response) => {
  const { api } = createFakeServer([answer], { config });
  const boot = createBoot(createShopEnvironment(() => api, { showIcon }));
  await waitFor(createActor(boot).start(), (snapshot) => !snapshot.hasTag('busy'));
};
const xml = (text: string, status = 200) => new Response(text, { status, headers: { 'content-type': 'application/xml' } });

beforeEach(() => {
  document.head.innerHTML = '<link rel="icon" href="/of-an-earlier-store.png" />';
});

test('a store has its own icon', async () => {
  await openStore(() =>
    xml('<StoreProperties><ShelfId>demo</ShelfId><FavIcon>https://cdn.test/icon.png</FavIcon></StoreProperties>'),
  );
  expect(readIcon()).toBe('https://cdn.test/icon.png');
});

test('a store that fails to load has the default icon [S4.favicon] [S8.properties]', async () => {
  await openStore(() => xml('<Error><StatusCode>400</StatusCode><Status>BadRequest</Status></Error>', 400));
  expect(readIcon()).toBe('/favicon.svg');
});
