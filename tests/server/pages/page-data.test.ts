import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPages } from '../support/pages.ts';
import { makeStore } from '../support/stores.ts';

type PageData = { config: { storeId: string }; answers: { call: string; text: string }[] };

let pages: Awaited<ReturnType<typeof openPages>>;
beforeAll(async () => void (pages = await openPages()));
afterAll(() => pages.close());

const readPageDataAt = async (host: string): Promise<PageData> => {
  const { html } = await pages.fetchHead(host, '/');
  return JSON.parse(/<script type="application\/json" id="store">([^<]*)<\/script>/.exec(html)?.[1] ?? '') as PageData;
};
const readApiText = async (store: string, path: string): Promise<string> =>
  (await pages.shop.app.inject(`/api/${path}?shelfid=${store}`)).body;

test('a page includes the API’s responses to its first calls', async () => {
  const store = await pages.shop.store({ ...makeStore('x'), id: undefined, host: 'small.example' });
  const { config, answers } = await readPageDataAt('small.example');
  expect(config.storeId).toBe(store);
  expect(answers).toEqual([
    { call: 'store/properties', text: await readApiText(store, 'store/properties') },
    { call: 'categories', text: await readApiText(store, 'categories') },
  ]);
  expect(answers[1]?.text).toContain('Fiction &amp; more');
});

test('a long category tree is left out of the page', async () => {
  const categories = Array.from({ length: 300 }, (_, index) => ({ id: `c${index}`, name: `Category ${index}` }));
  await pages.shop.store({ host: 'wide.example', titles: [], categories });
  expect((await readPageDataAt('wide.example')).answers.map(({ call }) => call)).toEqual(['store/properties']);
});
