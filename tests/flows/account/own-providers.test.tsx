import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ownProvidersMachine } from '../../../machines/account/own-providers.ts';
import type { OwnProvider } from '../../../machines/model/account/provider.ts';
import { OwnProviders } from '../../../src/flows/account/OwnProviders.tsx';
import { answers, rejects, underShop, waits } from '../../support/views/flow.ts';
import { isDenied, show, stateOf } from '../../support/views/show.tsx';

const lamplight: OwnProvider = { id: 'lamplight', kind: 'oidc', name: 'Lamplight', isJoined: true };
const phone: OwnProvider = { id: 'phone', kind: 'phone', name: 'Phone', isJoined: false };

type Actors = NonNullable<Parameters<typeof ownProvidersMachine.provide>[0]['actors']>;

const start = (actors: Actors = {}) => {
  const loadProviders = answers<OwnProvider[], undefined>([lamplight, phone]);
  const { actor } = underShop(ownProvidersMachine.provide({ actors: { loadProviders, ...actors } }), undefined);
  return show(<OwnProviders actor={actor} />);
};

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

test('each provider says whether it opens the account, and a telephone is called so', async () => {
  start();
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2));
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'LamplightConnectedRemove',
    'Phone numberNot connectedConnect',
  ]);
});

test('a store without providers says nothing of them', async () => {
  const container = start({ loadProviders: answers<OwnProvider[], undefined>([]) });
  await waitFor(() => expect(stateOf(container, 'ownProviders')).toBe('none'));
  expect(screen.queryByRole('heading')).toBeNull();
});

test('one is removed after a question, which has the focus', async () => {
  start({ removeProvider: answers<OwnProvider[], { providerId: string }>([{ ...lamplight, isJoined: false }, phone]) });
  await press('Remove Lamplight');
  const question = screen.getByRole('group', { name: 'Remove Lamplight?' });
  expect(document.activeElement).toBe(question);
  await userEvent.click(within(question).getByRole('button', { name: 'Keep' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove Lamplight' }));
  await press('Remove Lamplight');
  await userEvent.click(within(screen.getByRole('group')).getByRole('button', { name: 'Remove' }));
  expect((await screen.findByText(/^Lamplight has been removed/)).getAttribute('tabindex')).toBe('-1');
  expect(screen.getByRole('button', { name: 'Connect Lamplight' })).toBeDefined();
});

test.each([
  ['last_way_in', 'only way into your account'],
  ['not_found', 'changed in the meantime'],
])('%s is told in words', async (code, words) => {
  start({ removeProvider: rejects({ kind: 'refused', code, message: '' }) });
  await press('Remove Lamplight');
  await userEvent.click(within(screen.getByRole('group')).getByRole('button', { name: 'Remove' }));
  expect((await screen.findByRole('alert')).textContent).toContain(words);
});

test('while one is gone to, nothing else can be pressed', async () => {
  const container = start({ startJoining: waits<string | null, { providerId: string }>() });
  await press('Connect Phone number');
  expect(stateOf(container, 'ownProviders')).toBe('starting');
  expect(screen.getAllByRole('button').every(isDenied)).toBe(true);
});

test('a telephone is asked for its number, in the words of connecting', async () => {
  start({ startJoining: answers<string | null, { providerId: string }>(null) });
  await press('Connect Phone number');
  await screen.findByRole('heading', { name: 'Connect a phone number' });
  await press('Cancel');
  expect(await screen.findByRole('button', { name: 'Connect Phone number' })).toBeDefined();
});
