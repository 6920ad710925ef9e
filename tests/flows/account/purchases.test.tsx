import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accountMachine } from '../../../machines/account/account.ts';
import { credentialsMachine } from '../../../machines/account/credentials.ts';
import type { PurchaseRecord } from '../../../machines/model/buying/purchase.ts';
import { safePort } from '../../../machines/ports.ts';
import { Purchases } from '../../../src/flows/account/Purchases.tsx';
import { answers, flowInput, underShop } from '../../support/views/flow.ts';
import { show } from '../../support/views/show.tsx';

const record = (part: Partial<PurchaseRecord>): PurchaseRecord => ({
  instanceId: 'i1',
  titleId: '1001',
  name: 'The Ferry Ledger',
  purchasedAt: '2026-11-20T08:00:00Z',
  transId: '3f2a91c4-0d4e-4bd1-a1a5-5a3f3a7f0001',
  paid: { amount: 9.9, currency: 'EUR', symbol: '€' },
  ...part,
});

test('each purchase has its name, its day and what was paid; nothing was paid for a code', async () => {
  const records = [
    record({}),
    record({ instanceId: 'i2', paid: { amount: 0, currency: 'EUR', symbol: '€' } }),
    record({ instanceId: 'i3', titleId: 'a b', paid: null, transId: null }),
    record({ instanceId: 'i4', refundedAt: '2026-11-21T08:00:00Z' }),
  ];
  const hasPassword = safePort<boolean>(
    async () => true,
    () => true,
  );
  const credentials = credentialsMachine.provide({ actors: { hasPassword } });
  const machine = accountMachine.provide({ actors: { purchaseRecords: answers(records), credentials } });
  const { actor } = underShop(machine, flowInput());
  const container = show(<Purchases actor={actor} />);
  await waitFor(() => expect(container.querySelectorAll('li')).toHaveLength(4));
  expect([...container.querySelectorAll('li')].map((line) => line.textContent)).toEqual([
    'The Ferry LedgerNovember 20, 2026€9.90Receipt',
    'The Ferry LedgerNovember 20, 2026FreeReceipt',
    'The Ferry LedgerNovember 20, 2026',
    'The Ferry LedgerNovember 20, 2026Refunded€9.90Receipt',
  ]);
  expect(container.querySelector('time')?.getAttribute('datetime')).toBe('2026-11-20T08:00:00Z');
  expect(container.querySelector('[aria-label="Receipt for The Ferry Ledger"]')?.getAttribute('href')).toBe(
    '/title/purchase/success?transId=3f2a91c4-0d4e-4bd1-a1a5-5a3f3a7f0001',
  );
  expect(container.querySelectorAll('a')[4]?.getAttribute('href')).toBe('/id:a%20b/The-Ferry-Ledger');
});
