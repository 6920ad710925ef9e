import { beforeEach, expect, test } from 'vitest';
import { createActor, waitFor } from 'xstate';
import { createBrowserWorld } from '../../../src/shell/app/browser-world.ts';
import { bootIn } from '../../../src/shell/ports/store.ts';
import { shopWorld } from '../../support/client/shop-world.ts';
import { config, world } from '../../support/client/world.ts';

const icon = () => document.querySelector<HTMLLinkElement>('link[rel=icon]')?.getAttribute('href');
const { showIcon } = createBrowserWorld(Promise.resolve());

const openStore = async (answer: () => Response) => {
  const { api } = world([answer], { config });
  const boot = bootIn(shopWorld(() => api, { showIcon }));
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
  expect(icon()).toBe('https://cdn.test/icon.png');
});

test('a store that does not come leaves the usual icon [S4.favicon] [S8.properties]', async () => {
  await openStore(() => xml('<Error><StatusCode>400</StatusCode><Status>BadRequest</Status></Error>', 400));
  expect(icon()).toBe('/favicon.svg');
});
