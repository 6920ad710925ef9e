import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accountMachine } from '../../../machines/account/account.ts';
import { credentialsMachine } from '../../../machines/account/credentials.ts';
import type { PurchaseRecord } from '../../../machines/model/buying/purchase.ts';
import { safePort } from '../../../machines/ports.ts';
import { Purchases } from '../../../src/flows/account/Purchases.tsx';
import { answeringPort, makeFlowInput, startUnderShop } from '../../support/views/flow.ts';
import { renderInShop } from '../../support/views/show.tsx';

const makeRecord = (overrides: Partial<PurchaseRecord>): PurchaseRecord => ({
  instanceId: 'i1',
  titleId: '1001',
  name: 'The Ferry Ledger',
  purchasedAt: '2026-11-20T08:00:00Z',
  transId: '3f2a91c4-0d4e-4bd1-a1a5-5a3f3a7f0001',
  paid: { amount: 9.9, currency: 'EUR', symbol: '€' },
  ...overrides,
});

test('each purchase has its name, its date and the amount paid; a code has no amount', async () => {
  const records = [
    makeRecord({}),
    makeRecord({ instanceId: 'i2', paid: { amount: 0, currency: 'EUR', symbol: '€' } }),
    makeRecord({ instanceId: 'i3', titleId: 'a b', paid: null, transId: null }),
    makeRecord({ instanceId: 'i4', refundedAt: '2026-11-21T08:00:00Z' }),
  ];
  const hasPassword = safePort<boolean>(
    async () => true,
    () => true,
  );
  const credentials = credentialsMachine.provide({ actors: { hasPassword } });
  const machine = accountMachine.provide({ actors: { purchaseRecords: answeringPort(records), credentials } });
  const { actor } = startUnderShop(machine, makeFlowInput());
  const container = renderInShop(<Purchases actor={actor} />);
  await waitFor(() => expect(container.querySelectorAll('li')).toHaveLength(4));
  expect([...container.querySelectorAll('li')].map((line) => line.textContent)).toEqual([
    'The Ferry Ledger20 November 2026€9.90Receipt',
    'The Ferry Ledger20 November 2026FreeReceipt',
    'The Ferry Ledger20 November 2026',
    'The Ferry Ledger20 November 2026Refunded€9.90Receipt',
  ]);
  expect(container.querySelector('time')?.getAttribute('datetime')).toBe('2026-11-20T08:00:00Z');
  expect(container.querySelector('[aria-label="Receipt for The Ferry Ledger"]')?.getAttribute('href')).toBe(
    '/title/purchase/success?transId=3f2a91c4-0d4e-4bd1-a1a5-5a3f3a7f0001',
  );
  expect(container.querySelectorAll('a')[4]?.getAttribute('href')).toBe('/id:a%20b/The-Ferry-Ledger');
});
