import { readFile } from 'node:fs/promises';
import { Customer } from '../../../tools/browser/customer.ts';
import { ShopPage } from '../../../tools/browser/shop.ts';
import { adminToken, expect, test as base } from './shop.ts';

export type Properties = Record<string, unknown>;

type DemoFile = { stores: { id: string; properties: Properties }[] };

const demoFile = new URL('../../../server/demo/store.json', import.meta.url);

/** The demo store's own properties before a test changes them. */
const usualProperties = async (): Promise<Properties> => {
  const { stores } = JSON.parse(await readFile(demoFile, 'utf8')) as DemoFile;
  return stores.find(({ id }) => id === 'harbour')?.properties ?? {};
};

type StoreFixtures = {
  /**
   * Changes properties at the store server, and restores them after the test. Pages opened from
   * then on have them.
   */
  setProperties: (properties: Properties) => Promise<void>;
  /** Expects that the store server refuses each of the values, by its name. */
  expectRefused: (properties: Properties) => Promise<void>;
  shopPage: ShopPage;
  /** A customer who is signed in in the browser. */
  customer: Customer;
};

const putProperties = (url: string, properties: Properties): Promise<Response> =>
  fetch(`${url}/admin/stores/harbour/properties`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(properties),
  });

/**
 * Tests that change the store. Their worker has a server of its own, and its tests run one after
 * the other.
 */
export const test = base.extend<StoreFixtures>({
  setProperties: async ({ shop }, use) => {
    const changed = new Set<string>();
    const put = async (properties: Properties): Promise<void> => {
      const answer = await putProperties(shop.url, properties);
      expect(answer.status, await answer.text()).toBe(204);
    };
    await use(async (properties) => {
      for (const name of Object.keys(properties)) changed.add(name);
      await put(properties);
    });
    const usual = await usualProperties();
    await put(Object.fromEntries([...changed].map((name) => [name, usual[name] ?? null])));
  },
  expectRefused: async ({ shop }, use) =>
    use(async (properties) => {
      for (const [name, value] of Object.entries(properties)) {
        const answer = await putProperties(shop.url, { [name]: value });
        expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
          400,
          expect.stringMatching(new RegExp(`^${name} is .*: expected `, 's')),
        ]);
      }
    }),
  shopPage: async ({ page }, use) => use(new ShopPage(page)),
  customer: async ({ shop, context }, use) => {
    const customer = await Customer.signUp(shop);
    await customer.signInBrowser(context);
    await use(customer);
  },
});

export { expect };
