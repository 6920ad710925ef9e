import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ownProvidersMachine } from '../../../machines/account/own-providers.ts';
import type { OwnProvider } from '../../../machines/model/account/provider.ts';
import { OwnProviders } from '../../../src/flows/account/OwnProviders.tsx';
import { answeringPort, rejectingPort, startUnderShop, pendingPort } from '../../support/views/flow.ts';
import { isDenied, renderInShop, readState } from '../../support/views/show.tsx';

const lamplight: OwnProvider = { id: 'lamplight', kind: 'oidc', name: 'Lamplight', isJoined: true };
const phone: OwnProvider = { id: 'phone', kind: 'phone', name: 'Phone', isJoined: false };

type Actors = NonNullable<Parameters<typeof ownProvidersMachine.provide>[0]['actors']>;

const start = (actors: Actors = {}) => {
  const loadProviders = answeringPort<OwnProvider[], undefined>([lamplight, phone]);
  const { actor } = startUnderShop(ownProvidersMachine.provide({ actors: { loadProviders, ...actors } }), undefined);
  return renderInShop(<OwnProviders actor={actor} />);
};

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

test('each provider shows whether it is linked to the account, and a telephone is named as such', async () => {
  start();
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2));
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'LamplightConnectedRemove',
    'Phone numberNot connectedConnect',
  ]);
});

test('a store without providers shows no section for them', async () => {
  const container = start({ loadProviders: answeringPort<OwnProvider[], undefined>([]) });
  await waitFor(() => expect(readState(container, 'ownProviders')).toBe('none'));
  expect(screen.queryByRole('heading')).toBeNull();
});

test('a provider is removed after a confirmation, which has the focus', async () => {
  start({ removeProvider: answeringPort<OwnProvider[], { providerId: string }>([{ ...lamplight, isJoined: false }, phone]) });
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
  ['last_way_in', 'your only way to sign in'],
  ['not_found', 'changed in the meantime'],
])('a removal refused as %s is explained', async (code, expectedText) => {
  start({ removeProvider: rejectingPort({ kind: 'refused', code, message: '' }) });
  await press('Remove Lamplight');
  await userEvent.click(within(screen.getByRole('group')).getByRole('button', { name: 'Remove' }));
  expect((await screen.findByRole('alert')).textContent).toContain(expectedText);
});

test('while the browser goes to a provider, no other button can be pressed', async () => {
  const container = start({ startJoining: pendingPort<string | null, { providerId: string }>() });
  await press('Connect Phone number');
  expect(readState(container, 'ownProviders')).toBe('starting');
  expect(screen.getAllByRole('button').every(isDenied)).toBe(true);
});

test('linking a telephone asks for its number, with texts about linking', async () => {
  start({ startJoining: answeringPort<string | null, { providerId: string }>(null) });
  await press('Connect Phone number');
  await screen.findByRole('heading', { name: 'Connect a phone number' });
  await press('Cancel');
  expect(await screen.findByRole('button', { name: 'Connect Phone number' })).toBeDefined();
});
