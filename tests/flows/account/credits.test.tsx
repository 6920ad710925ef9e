import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { creditsMachine } from '../../../machines/account/credits.ts';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import { Credits } from '../../../src/flows/account/Credits.tsx';
import { answers, rejects, underShop } from '../../support/views/flow.ts';
import { pressable, show, stateOf } from '../../support/views/show.tsx';

const said = (container: HTMLElement) => container.querySelector('[data-flow="credits"]')?.textContent;

const start = (credits: CreditBalance, path = '/'): HTMLElement => {
  const loadCredits = answers<CreditBalance, undefined>(credits);
  return show(<Credits actor={underShop(creditsMachine.provide({ actors: { loadCredits } }), undefined).actor} />, path);
};

test.each([
  [1, 'Credits', '1 Credit'],
  [2, 'Credits', '2 Credits'],
  [0, '', '0 Credits'],
  [1500, 'Tokens', '1,500 Tokens'],
])('%i of what the store calls %j [S9.credits]', async (balance, currency, says) => {
  const container = start({ balance, currency, accepted: true });
  await waitFor(() => expect(stateOf(container, 'credits')).toBe('shown'));
  expect(said(container)).toBe(`Credits${says}`);
});

test('whoever comes for them goes on from there by keyboard', async () => {
  const container = start({ balance: 3, currency: '', accepted: true }, '/account?part=credits');
  await waitFor(() => expect(stateOf(container, 'credits')).toBe('shown'));
  expect(document.activeElement?.closest<HTMLElement>('[data-flow]')?.dataset['flow']).toBe('credits');
});

test('a store that takes none shows those that are left, and nothing where none are', async () => {
  const some = start({ balance: 3, currency: '', accepted: false });
  await waitFor(() => expect(said(some)).toBe('Credits3 Credits'));
  const none = start({ balance: 0, currency: '', accepted: false });
  await waitFor(() => expect(stateOf(none, 'credits')).toBe('none'));
  expect(said(none)).toBe('');
});

test('a failure can be tried again', async () => {
  const loadCredits = rejects<CreditBalance, undefined>({ kind: 'offline' });
  const container = show(<Credits actor={underShop(creditsMachine.provide({ actors: { loadCredits } }), undefined).actor} />);
  await waitFor(() => expect(stateOf(container, 'credits')).toBe('failed'));
  expect(pressable(container, 'retry.pressed')).toBeDefined();
});
