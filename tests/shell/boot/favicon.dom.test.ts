import { beforeEach, expect, test, vi } from 'vitest';
import { createActor, waitFor } from 'xstate';
import { boot } from '../../../src/shell/store.ts';

const icon = () => document.querySelector<HTMLLinkElement>('link[rel=icon]')?.getAttribute('href');
const opened = vi.hoisted(() => ({ answer: (): Response => new Response(null, { status: 404 }) }));

vi.mock('../../../src/client/open-client.ts', async () => {
  const { world, config } = await import('../../support/client/world.ts');
  const { api } = world([() => opened.answer()], { config });
  return { asVisitor: (call: (of: typeof api) => unknown) => call(api) };
});

const openStore = async (answer: () => Response) => {
  opened.answer = answer;
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
