import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperationInput } from '../../../server/admin/operation-input.ts';
import { runOperation } from '../../../server/admin/operations.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let taxStore: string;
beforeAll(async () => {
  shop = await openShop();
  taxStore = await shop.store();
});
afterAll(() => shop.close());

const runTaxOperation = (verb: string, input: OperationInput) =>
  runOperation(shop.services, `taxes ${verb}`, { store: taxStore, ...input });

test('the operator sets, lists and removes tax rates; a dry run changes nothing', async () => {
  const setRate = (input: OperationInput) => runTaxOperation('set', input);
  expect((await setRate({ country: 'it', name: 'IVA', percent: '4', dryRun: true })).message).toMatch(
    /^IVA of 4 % in IT could be set\. It is added once EnableTax is set/,
  );
  expect((await runTaxOperation('list', {})).rows).toEqual([]);
  await setRate({ country: 'it', name: 'IVA', percent: '4' });
  await setRate({ country: 'IT', name: 'IVA', percent: '22.5' });
  await setRate({ country: 'CA', region: 'qc', regionName: 'Québec', name: 'TVQ', percent: '9.975' });
  const { rows, message } = await runTaxOperation('list', {});
  expect(rows).toEqual([
    { country: 'CA', region: 'QC', 'region name': 'Québec', name: 'TVQ', percent: 9.975 },
    { country: 'IT', region: '', 'region name': '', name: 'IVA', percent: 22.5 },
  ]);
  expect(message).toBe(`The store ${taxStore} adds no tax: EnableTax is off.`);
  expect((await runTaxOperation('remove', { country: 'CA', region: 'QC', name: 'TVQ', dryRun: true })).message).toMatch(
    /could be removed/,
  );
  await runTaxOperation('remove', { country: 'CA', region: 'QC', name: 'TVQ' });
  expect((await runTaxOperation('list', {})).rows).toHaveLength(1);
});

test.each([
  [{ country: 'Germany', name: 'MwSt.', percent: '7' }, /^country must be/],
  [{ country: 'ZY', name: 'VAT', percent: '7' }, /^country must be/],
  [{ country: 'US', region: 'other', name: 'VAT', percent: '7' }, /^region must be/],
  [{ country: 'US', name: 'VAT', percent: '7,5' }, /^percent must be/],
  [{ country: 'US', name: 'VAT', percent: '101' }, /^percent must be/],
  [{ country: 'US', name: ' ', percent: '7' }, /^name must be the tax/],
  [{ country: 'US', regionName: 'California', name: 'VAT', percent: '7' }, /^region-name requires --region/],
])('the tax rate %o is refused, and the error names the wrong option', async (input, expectedError) => {
  await expect(runTaxOperation('set', input)).rejects.toThrow(expectedError);
});
