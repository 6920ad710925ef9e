import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { passkeysMachine } from '../../../machines/account/passkeys.ts';
import type { AddedPasskey, Passkey, PasskeyNameForm, Passkeys as Loaded } from '../../../machines/model/account/passkey.ts';
import { Passkeys } from '../../../src/flows/account/Passkeys.tsx';
import { answeringPort, rejectingPort, startUnderShop, pendingPort } from '../../support/views/flow.ts';
import { isDenied, renderInShop, readState } from '../../support/views/show.tsx';

const usedPasskey: Passkey = {
  id: 'p1',
  name: 'Chrome, Linux',
  addedAt: '2026-11-19T08:00:00Z',
  lastUsedAt: '2026-11-20T08:00:00Z',
};
const unusedPasskey: Passkey = { id: 'p2', name: 'Safari, iPhone', addedAt: '2026-11-19T08:00:00Z', lastUsedAt: '' };

type Actors = NonNullable<Parameters<typeof passkeysMachine.provide>[0]['actors']>;

const start = (actors: Actors = {}, canAdd = true) => {
  const loadPasskeys = answeringPort<Loaded | null, undefined>({ passkeys: [usedPasskey, unusedPasskey], canAdd });
  const { actor } = startUnderShop(passkeysMachine.provide({ actors: { loadPasskeys, ...actors } }), undefined);
  return renderInShop(<Passkeys actor={actor} />);
};

const listItems = () => screen.getAllByRole('listitem');
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

test('each passkey has its name, when it was added, and when it was last used', async () => {
  start();
  await waitFor(() => expect(listItems()).toHaveLength(2));
  const [first, second] = listItems().map(({ textContent }) => textContent);
  expect(first).toMatch(
    /^Chrome, LinuxAdded (18|19|20) November 2026 at .*Last used (19|20|21) November 2026 at .*RenameDelete$/,
  );
  expect(second).toMatch(/^Safari, iPhoneAdded .*Not used yetRenameDelete$/);
});

test('passkeys are hidden when the server does not support them', async () => {
  const container = start({ loadPasskeys: answeringPort<Loaded | null, undefined>(null) });
  await waitFor(() => expect(readState(container, 'passkeys')).toBe('none'));
  expect(screen.queryByRole('heading')).toBeNull();
});

test('an added passkey is announced, and has the focus', async () => {
  start({
    loadPasskeys: answeringPort<Loaded | null, undefined>({ passkeys: [], canAdd: true }),
    addPasskey: answeringPort<AddedPasskey, undefined>({ passkeys: [unusedPasskey], addedId: 'p2' }),
  });
  await press('Add a passkey');
  const notice = await screen.findByText(/^The passkey “Safari, iPhone” has been added/);
  expect(document.activeElement).toBe(notice);
  expect(listItems()).toHaveLength(1);
});

test('while the device prompts, no other button can be pressed', async () => {
  const container = start({ addPasskey: pendingPort<AddedPasskey, undefined>() });
  await press('Add a passkey');
  expect(readState(container, 'passkeys')).toBe('adding');
  expect(screen.getAllByRole('button').every(isDenied)).toBe(true);
  expect(screen.getByRole('button', { name: 'Waiting for your device…' })).toBeDefined();
});

test('a customer who cancels the prompt sees no message', async () => {
  const container = start({ addPasskey: rejectingPort({ kind: 'refused', code: 'passkey_cancelled', message: '' }) });
  await press('Add a passkey');
  await waitFor(() => expect(readState(container, 'passkeys')).toBe('shown'));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByRole('status')).toBeNull();
});

test.each([
  ['passkey_known', 'already has a passkey'],
  ['passkey_unsupported', 'couldn’t make a passkey'],
  ['passkeys_full', 'that’s the most'],
  ['passkey_refused', 'couldn’t verify'],
])('an addition refused as %s is explained', async (code, expectedText) => {
  start({ addPasskey: rejectingPort({ kind: 'refused', code, message: '' }) });
  await press('Add a passkey');
  expect((await screen.findByRole('alert')).textContent).toContain(expectedText);
});

test('a browser without passkey support says so, and existing passkeys can still be deleted', async () => {
  start({}, false);
  await screen.findByText(/^This browser can’t add passkeys/);
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
  expect(within(listItems()[0] as HTMLElement).getByRole('button', { name: 'Delete the passkey “Chrome, Linux”' })).toBeDefined();
});

test('a passkey is deleted after a confirmation, which has the focus', async () => {
  start({ removePasskey: answeringPort<Passkey[], { passkeyId: string }>([unusedPasskey]) });
  await press('Delete the passkey “Chrome, Linux”');
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Delete the passkey “Chrome, Linux”?' }));
  await press('Keep passkey');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete the passkey “Chrome, Linux”' }));
  await press('Delete the passkey “Chrome, Linux”');
  await press('Delete passkey');
  await screen.findByText(/^The passkey “Chrome, Linux” has been deleted/);
  expect(listItems()).toHaveLength(1);
});

test('a passkey that could not be deleted stays, and the reason is shown', async () => {
  start({ removePasskey: rejectingPort({ kind: 'offline' }) });
  await press('Delete the passkey “Chrome, Linux”');
  await press('Delete passkey');
  await screen.findByRole('alert');
  expect(listItems()).toHaveLength(2);
});

test('a renamed passkey is announced and has the focus', async () => {
  start({
    renamePasskey: answeringPort<Passkey[], { passkeyId: string; pii: { form: PasskeyNameForm | null } }>([
      { ...usedPasskey, name: 'The blue one' },
      unusedPasskey,
    ]),
  });
  await press('Rename the passkey “Chrome, Linux”');
  const field = screen.getByLabelText('What should this passkey be called?');
  expect(document.activeElement).toBe(field);
  await userEvent.clear(field);
  await press('Save');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await userEvent.type(field, 'The blue one');
  await press('Save');
  expect(document.activeElement).toBe(await screen.findByText('The passkey is now called “The blue one”.'));
});

test('the last way to sign in is not deleted, and the reason is shown', async () => {
  start({ removePasskey: rejectingPort({ kind: 'refused', code: 'last_way_in', message: '' }) });
  await press('Delete the passkey “Chrome, Linux”');
  await press('Delete passkey');
  expect((await screen.findByRole('alert')).textContent).toContain('your only way to sign in');
});
