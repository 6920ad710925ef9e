import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { requestPort } from '../../../machines/ports.ts';
import type { Receipt } from '../../../machines/model/buying/purchase.ts';
import { receiptMachine } from '../../../machines/buying/receipt.ts';
import { ReceiptView } from '../../../src/flows/receipt/ReceiptView.tsx';
import { answeringPort, makeFlowInput, rejectingPort, startUnderShop, pendingPort, type Port } from '../../support/views/flow.ts';
import { findPressable, renderInShop, readState } from '../../support/views/show.tsx';
import { receipt } from '../../support/views/titles.ts';

let printCount = 0;
beforeEach(() => {
  printCount = 0;
});

const start = (purchaseInfo: Port<Receipt, { transId: string; isGift: boolean }>) => {
  const print = requestPort<null>(async () => {
    printCount += 1;
    return null;
  });
  const { actor, receivedEvents } = startUnderShop(
    receiptMachine.provide({ actors: { purchaseInfo, print } }),
    makeFlowInput({ transId: 't-1' }),
  );
  return { events: receivedEvents, container: renderInShop(<ReceiptView actor={actor} />) };
};

test('a receipt shows the title, its price and its date, and opens the title', async () => {
  const { container, events } = start(answeringPort(receipt));
  await waitFor(() => expect(readState(container, 'receipt')).toBe('shown'));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Thank you!');
  expect(screen.getByText('$9.99')).toBeDefined();
  expect(screen.getByText('20 November 2026').getAttribute('datetime')).toBe(receipt.paidAt);
  expect(screen.getByRole('link', { name: 'My Library' }).getAttribute('href')).toBe('/mylibrary');
  expect(screen.getByText('3F2A-91C4')).toBeDefined();
  await userEvent.click(findPressable(container, 'print.pressed'));
  await waitFor(() => expect(printCount).toBe(1));
  expect(readState(container, 'receipt')).toBe('shown');
  await userEvent.click(findPressable(container, 'read.pressed'));
  expect(events).toEqual([{ type: 'go', to: '/viewer?instanceid=i-1', replace: false }]);
});

test('a receipt lists titles bought together, with each price and the total', async () => {
  const titles = [
    { titleId: '1', name: 'The Wend', amount: 12 },
    { titleId: '2', name: 'Low Water', amount: 4.99 },
  ];
  const { container } = start(answeringPort({ ...receipt, amount: 16.99, titles }));
  await waitFor(() => expect(readState(container, 'receipt')).toBe('shown'));
  expect(container.textContent).toContain('2 titles are in your library.');
  const lines = [...container.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
  expect(lines.slice(0, 3)).toEqual(['The Wend$12.00', 'Low Water$4.99', 'Amount paid$16.99']);
  expect(screen.getByRole('link', { name: 'The Wend' }).getAttribute('href')).toBe('/id:1/The-Wend');
  expect(container.querySelector('[data-event="read.pressed"]')).toBeNull();
});

test('a receipt of a refunded purchase says so, and opens no title', async () => {
  const { container } = start(answeringPort({ ...receipt, refunded: 9.99, refundedAt: '2026-11-22T08:00:00Z' }));
  await waitFor(() => expect(readState(container, 'receipt')).toBe('shown'));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Refunded');
  expect(container.textContent).toContain(`“${receipt.name}” is no longer in your library.`);
  const lines = [...container.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
  expect(lines).toEqual(expect.arrayContaining(['Amount paid$9.99', 'Amount refunded$9.99', 'Refunded on22 November 2026']));
  expect(container.querySelector('[data-event="read.pressed"]')).toBeNull();
  expect(screen.getByRole('link', { name: 'My Library' })).toBeDefined();
});

test('a receipt has its own line for a partial refund', async () => {
  const { container } = start(answeringPort({ ...receipt, refunded: 3 }));
  await waitFor(() => expect(readState(container, 'receipt')).toBe('shown'));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Thank you!');
  expect(container.textContent).toContain('Amount refunded$3.00');
  expect(findPressable(container, 'read.pressed')).toBeDefined();
});

test.each([
  ['', 'Your gift for Bo, “The Ferry Ledger”, is being sent now.'],
  ['2026-12-24', 'Your gift for Bo, “The Ferry Ledger”, will be sent on 24 December 2026.'],
])(
  'the receipt of a gift shows its recipient and its delivery date (%s), and links to another gift',
  async (deliverOn, expectedText) => {
    const gift = { deliverOn, pii: { name: 'Bo', email: 'bo@example.com' } };
    const { container } = start(answeringPort({ ...receipt, name: 'The Ferry Ledger', gift }));
    await waitFor(() => expect(readState(container, 'receipt')).toBe('shown'));
    expect(screen.getByText(expectedText)).toBeDefined();
    expect([...container.querySelectorAll('dl > div')].map(({ textContent }) => textContent)).toContain(
      'A gift forBo, bo@example.com',
    );
    expect(screen.getByRole('link', { name: 'Send another gift' }).getAttribute('href')).toBe(
      `/title/gift?titleid=${receipt.titleId}`,
    );
    expect(screen.getByRole('link', { name: 'Your gifts' }).getAttribute('href')).toBe('/account');
    expect(container.querySelector('[data-event="read.pressed"]')).toBeNull();
  },
);

test.each([
  [undefined, 'Your gift, “The Ferry Ledger”, is on its way.'],
  [['A', 'B'], 'Your gift of 2 titles is on its way.'],
])('the receipt of a gift without a recipient from the server is still shown as a gift’s', async (names, expectedText) => {
  const gift = { deliverOn: '', pii: { name: '', email: '' } };
  const titles = names?.map((name) => ({ titleId: name, name, amount: 1 }));
  const { container } = start(answeringPort({ ...receipt, name: 'The Ferry Ledger', gift, ...(titles ? { titles } : {}) }));
  await waitFor(() => expect(readState(container, 'receipt')).toBe('shown'));
  expect(screen.getByText(expectedText)).toBeDefined();
  expect(container.textContent).not.toContain('A gift for');
  expect(container.textContent).not.toContain('in your library');
});

test('a receipt that is loading says so', () => {
  start(pendingPort());
  expect(screen.getByRole('status').textContent).toContain('receipt');
});

test('a receipt that fails to load says that the purchase is safe, and can be requested again', async () => {
  const { container } = start(rejectingPort({ kind: 'offline' }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Your purchase is safe'));
  expect(findPressable(container, 'retry.pressed')).toBeDefined();
});

test('an unknown receipt links to the library', async () => {
  const missingReceipt = start(rejectingPort({ kind: 'http', status: 404, message: '' }));
  await waitFor(() => expect(readState(missingReceipt.container, 'receipt')).toBe('notFound'));
  expect(missingReceipt.container.querySelector('a')?.getAttribute('href')).toBe('/mylibrary');
});

test('a transaction id that is not a random id is shown unchanged', async () => {
  start(answeringPort({ ...receipt, transId: 'ORDER-2026-000124' }));
  await waitFor(() => expect(screen.getByText('ORDER-2026-000124')).toBeDefined());
});
