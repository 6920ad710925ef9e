import { readFile } from 'node:fs/promises';
import { Customer } from '../../../tools/browser/customer.ts';
import { ShopPage } from '../../../tools/browser/shop.ts';
import { adminToken, expect, test as base } from './shop.ts';

export type StoreProperties = Record<string, unknown>;

type DemoFile = { stores: { id: string; properties: StoreProperties }[] };

const demoFile = new URL('../../../server/demo/store.json', import.meta.url);

/** Reads the demo store's properties from its file, as they are before a test changes them. */
const readDemoProperties = async (): Promise<StoreProperties> => {
  const { stores } = JSON.parse(await readFile(demoFile, 'utf8')) as DemoFile;
  return stores.find(({ id }) => id === 'harbour')?.properties ?? {};
};

type StoreFixtures = {
  /**
   * Changes properties at the store server, and restores them after the test. Pages opened after
   * the change have the new values.
   */
  setProperties: (properties: StoreProperties) => Promise<void>;
  /**
   * Expects that the store server refuses each property, with an error that begins with its name.
   */
  expectRefused: (properties: StoreProperties) => Promise<void>;
  shopPage: ShopPage;
  /** A customer who is signed in in the browser. */
  customer: Customer;
};

const putProperties = (url: string, properties: StoreProperties): Promise<Response> =>
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
    const changedNames = new Set<string>();
    const put = async (properties: StoreProperties): Promise<void> => {
      const response = await putProperties(shop.url, properties);
      expect(response.status, await response.text()).toBe(204);
    };
    await use(async (properties) => {
      for (const name of Object.keys(properties)) changedNames.add(name);
      await put(properties);
    });
    const demoProperties = await readDemoProperties();
    await put(Object.fromEntries([...changedNames].map((name) => [name, demoProperties[name] ?? null])));
  },
  expectRefused: async ({ shop }, use) =>
    use(async (properties) => {
      for (const [name, value] of Object.entries(properties)) {
        const response = await putProperties(shop.url, { [name]: value });
        expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
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
