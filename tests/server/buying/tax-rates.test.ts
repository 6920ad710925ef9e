import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Given } from '../../../server/admin/given.ts';
import { operate } from '../../../server/admin/operations.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let own: string;
beforeAll(async () => {
  shop = await openShop();
  own = await shop.store();
});
afterAll(() => shop.close());

const taxes = (verb: string, given: Given) => operate(shop.services, `taxes ${verb}`, { store: own, ...given });

test('the operator sets rates, lists and removes them; a dry run does nothing', async () => {
  const set = (given: Given) => taxes('set', given);
  expect((await set({ country: 'it', name: 'IVA', percent: '4', dryRun: true })).says).toMatch(
    /^IVA of 4 % in IT could be set\. It is added once EnableTax is set/,
  );
  expect((await taxes('list', {})).rows).toEqual([]);
  await set({ country: 'it', name: 'IVA', percent: '4' });
  await set({ country: 'IT', name: 'IVA', percent: '22.5' });
  await set({ country: 'CA', region: 'qc', regionName: 'Québec', name: 'TVQ', percent: '9.975' });
  const { rows, says } = await taxes('list', {});
  expect(rows).toEqual([
    { country: 'CA', region: 'QC', 'region name': 'Québec', name: 'TVQ', percent: 9.975 },
    { country: 'IT', region: '', 'region name': '', name: 'IVA', percent: 22.5 },
  ]);
  expect(says).toBe(`The store ${own} adds no tax: EnableTax is off.`);
  expect((await taxes('remove', { country: 'CA', region: 'QC', name: 'TVQ', dryRun: true })).says).toMatch(/could be removed/);
  await taxes('remove', { country: 'CA', region: 'QC', name: 'TVQ' });
  expect((await taxes('list', {})).rows).toHaveLength(1);
});

test.each([
  [{ country: 'Germany', name: 'MwSt.', percent: '7' }, /^country must be/],
  [{ country: 'ZY', name: 'VAT', percent: '7' }, /^country must be/],
  [{ country: 'US', region: 'other', name: 'VAT', percent: '7' }, /^region must be/],
  [{ country: 'US', name: 'VAT', percent: '7,5' }, /^percent must be/],
  [{ country: 'US', name: 'VAT', percent: '101' }, /^percent must be/],
  [{ country: 'US', name: ' ', percent: '7' }, /^name must say/],
  [{ country: 'US', regionName: 'California', name: 'VAT', percent: '7' }, /^region-name names a region/],
])('the operator is told what is wrong with %o', async (given, says) => {
  await expect(taxes('set', given)).rejects.toThrow(says);
});
