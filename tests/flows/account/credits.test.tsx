import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { creditsMachine } from '../../../machines/account/credits.ts';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import { Credits } from '../../../src/flows/account/Credits.tsx';
import { answeringPort, rejectingPort, startUnderShop } from '../../support/views/flow.ts';
import { findPressable, renderInShop, readState } from '../../support/views/show.tsx';

const readText = (container: HTMLElement) => container.querySelector('[data-flow="credits"]')?.textContent;

const start = (credits: CreditBalance, path = '/'): HTMLElement => {
  const loadCredits = answeringPort<CreditBalance, undefined>(credits);
  return renderInShop(
    <Credits actor={startUnderShop(creditsMachine.provide({ actors: { loadCredits } }), undefined).actor} />,
    path,
  );
};

test.each([
  [1, 'Credits', '1 Credit'],
  [2, 'Credits', '2 Credits'],
  [0, '', '0 Credits'],
  [1500, 'Tokens', '1,500 Tokens'],
])('a balance of %i credits that the store calls %j is shown as “%s” [S9.credits]', async (balance, currency, expectedText) => {
  const container = start({ balance, currency, accepted: true });
  await waitFor(() => expect(readState(container, 'credits')).toBe('shown'));
  expect(readText(container)).toBe(`Credits${expectedText}`);
});

test('a link to the credits moves the focus to them', async () => {
  const container = start({ balance: 3, currency: '', accepted: true }, '/account?part=credits');
  await waitFor(() => expect(readState(container, 'credits')).toBe('shown'));
  expect(document.activeElement?.closest<HTMLElement>('[data-flow]')?.dataset['flow']).toBe('credits');
});

test('a store that no longer takes credits shows the remaining credits, and no section at zero', async () => {
  const containerWithCredits = start({ balance: 3, currency: '', accepted: false });
  await waitFor(() => expect(readText(containerWithCredits)).toBe('Credits3 Credits'));
  const containerWithoutCredits = start({ balance: 0, currency: '', accepted: false });
  await waitFor(() => expect(readState(containerWithoutCredits, 'credits')).toBe('none'));
  expect(readText(containerWithoutCredits)).toBe('');
});

test('a balance that fails to load can be requested again', async () => {
  const loadCredits = rejectingPort<CreditBalance, undefined>({ kind: 'offline' });
  const container = renderInShop(
    <Credits actor={startUnderShop(creditsMachine.provide({ actors: { loadCredits } }), undefined).actor} />,
  );
  await waitFor(() => expect(readState(container, 'credits')).toBe('failed'));
  expect(findPressable(container, 'retry.pressed')).toBeDefined();
});
