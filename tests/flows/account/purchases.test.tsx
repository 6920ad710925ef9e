import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accountMachine } from '../../../machines/account/account.ts';
import { libraryMachine } from '../../../machines/reading/library.ts';
import type { PurchaseRecord, Receipt } from '../../../machines/model/purchase.ts';
import { requestPort } from '../../../machines/ports.ts';
import { receiptMachine } from '../../../machines/buying/receipt.ts';
import { Purchases } from '../../../src/flows/account/Purchases.tsx';
import { answers, flowInput, underShop } from '../../support/views/flow.ts';
import { show } from '../../support/views/show.tsx';
import { gives, inTurn, refuses } from '../../support/views/world.ts';

const record = (part: Partial<PurchaseRecord>): PurchaseRecord => ({
  instanceId: 'i1',
  titleId: '1001',
  name: 'The Ferry Ledger',
  purchasedAt: '2026-11-20T08:00:00Z',
  paid: { amount: 9.9, currency: 'EUR', symbol: '€' },
  ...part,
});

const receiptOf = (transId: string): Receipt => ({
  transId,
  titleId: '1001',
  instanceId: 'i1',
  name: 'The Ferry Ledger',
  amount: 9.9,
  currency: 'EUR',
  symbol: '€',
  paidAt: '2026-11-20T08:00:00Z',
});

test('each purchase has its name, its day and what was paid; nothing was paid for a code', async () => {
  const records = [
    record({}),
    record({ instanceId: 'i2', paid: { amount: 0, currency: 'EUR', symbol: '€' } }),
    record({ instanceId: 'i3', titleId: 'a b', paid: null }),
  ];
  const { actor } = underShop(accountMachine.provide({ actors: { purchaseRecords: answers(records) } }), flowInput());
  const container = show(<Purchases actor={actor} />);
  await waitFor(() => expect(container.querySelectorAll('li')).toHaveLength(3));
  expect([...container.querySelectorAll('li')].map((line) => line.textContent)).toEqual([
    'The Ferry LedgerNovember 20, 2026€9.90',
    'The Ferry LedgerNovember 20, 2026Free',
    'The Ferry LedgerNovember 20, 2026',
  ]);
  expect(container.querySelector('time')?.getAttribute('datetime')).toBe('2026-11-20T08:00:00Z');
  expect(container.querySelectorAll('a')[2]?.getAttribute('href')).toBe('/id:a%20b');
});

test('when another customer takes the session over, what is shown is fetched anew', async () => {
  const answer = [[record({})], [record({ name: 'Theirs' })]];
  const purchaseRecords = requestPort<PurchaseRecord[]>(async () => answer.shift() ?? []);
  const { actor } = underShop(accountMachine.provide({ actors: { purchaseRecords } }), flowInput());
  await waitFor(() => expect(actor.getSnapshot().value).toBe('shown'));
  actor.send({ type: 'session.changed', signedIn: true });
  expect(actor.getSnapshot().value).toBe('loading');
  await waitFor(() =>
    expect(actor.getSnapshot()).toMatchObject({ value: 'shown', context: { purchases: [{ name: 'Theirs' }] } }),
  );
});

test('so is a library, and a receipt that is not theirs is no longer found', async () => {
  const library = underShop(libraryMachine.provide({ actors: { purchases: answers([]) } }), flowInput()).actor;
  await waitFor(() => expect(library.getSnapshot().value).toBe('empty'));
  library.send({ type: 'session.changed', signedIn: true });
  expect(library.getSnapshot().value).toBe('loading');
  const missing = refuses({ kind: 'refused', code: 'not_found', message: '' });
  const purchaseInfo = requestPort<Receipt, { transId: string }>(inTurn<Receipt>(gives(receiptOf('t1')), missing));
  const receipt = underShop(receiptMachine.provide({ actors: { purchaseInfo } }), flowInput({ transId: 't1' })).actor;
  await waitFor(() => expect(receipt.getSnapshot().value).toBe('shown'));
  receipt.send({ type: 'session.changed', signedIn: true });
  await waitFor(() => expect(receipt.getSnapshot().value).toBe('notFound'));
});
