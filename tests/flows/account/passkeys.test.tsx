import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { passkeysMachine } from '../../../machines/account/passkeys.ts';
import type { AddedPasskey, Passkey, PasskeyNameForm, Passkeys as Loaded } from '../../../machines/model/account/passkey.ts';
import { Passkeys } from '../../../src/flows/account/Passkeys.tsx';
import { answers, rejects, underShop, waits } from '../../support/views/flow.ts';
import { isDenied, show, stateOf } from '../../support/views/show.tsx';

const used: Passkey = { id: 'p1', name: 'Chrome, Linux', addedAt: '2026-11-19T08:00:00Z', lastUsedAt: '2026-11-20T08:00:00Z' };
const fresh: Passkey = { id: 'p2', name: 'Safari, iPhone', addedAt: '2026-11-19T08:00:00Z', lastUsedAt: '' };

type Actors = NonNullable<Parameters<typeof passkeysMachine.provide>[0]['actors']>;

const start = (actors: Actors = {}, canAdd = true) => {
  const loadPasskeys = answers<Loaded | null, undefined>({ passkeys: [used, fresh], canAdd });
  const { actor } = underShop(passkeysMachine.provide({ actors: { loadPasskeys, ...actors } }), undefined);
  return show(<Passkeys actor={actor} />);
};

const lines = () => screen.getAllByRole('listitem');
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

test('each passkey has its name, when it was added, and when it was used last', async () => {
  start();
  await waitFor(() => expect(lines()).toHaveLength(2));
  const [first, second] = lines().map(({ textContent }) => textContent);
  expect(first).toMatch(
    /^Chrome, LinuxAdded November (18|19|20), 2026 at .*Last used November (19|20|21), 2026 at .*RenameDelete$/,
  );
  expect(second).toMatch(/^Safari, iPhoneAdded .*Not used yetRenameDelete$/);
});

test('nothing is seen of passkeys where the server has none of it', async () => {
  const container = start({ loadPasskeys: answers<Loaded | null, undefined>(null) });
  await waitFor(() => expect(stateOf(container, 'passkeys')).toBe('none'));
  expect(screen.queryByRole('heading')).toBeNull();
});

test('one that is added is said to be, and has the focus', async () => {
  start({
    loadPasskeys: answers<Loaded | null, undefined>({ passkeys: [], canAdd: true }),
    addPasskey: answers<AddedPasskey, undefined>({ passkeys: [fresh], addedId: 'p2' }),
  });
  await press('Add a passkey');
  const notice = await screen.findByText(/^The passkey “Safari, iPhone” has been added/);
  expect(document.activeElement).toBe(notice);
  expect(lines()).toHaveLength(1);
});

test('while the device is asked, nothing else can be pressed', async () => {
  const container = start({ addPasskey: waits<AddedPasskey, undefined>() });
  await press('Add a passkey');
  expect(stateOf(container, 'passkeys')).toBe('adding');
  expect(screen.getAllByRole('button').every(isDenied)).toBe(true);
  expect(screen.getByRole('button', { name: 'Waiting for your device…' })).toBeDefined();
});

test('who does not want to after all hears nothing of it', async () => {
  const container = start({ addPasskey: rejects({ kind: 'refused', code: 'passkey_cancelled', message: '' }) });
  await press('Add a passkey');
  await waitFor(() => expect(stateOf(container, 'passkeys')).toBe('shown'));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByRole('status')).toBeNull();
});

test.each([
  ['passkey_known', 'already has a passkey'],
  ['passkey_unsupported', 'couldn’t make a passkey'],
  ['passkeys_full', 'that’s the most'],
  ['passkey_refused', 'couldn’t verify'],
])('%s is told in words', async (code, words) => {
  start({ addPasskey: rejects({ kind: 'refused', code, message: '' }) });
  await press('Add a passkey');
  expect((await screen.findByRole('alert')).textContent).toContain(words);
});

test('a browser that cannot make one says so, and the others can still be deleted', async () => {
  start({}, false);
  await screen.findByText(/^This browser can’t add one/);
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
  expect(within(lines()[0] as HTMLElement).getByRole('button', { name: 'Delete the passkey “Chrome, Linux”' })).toBeDefined();
});

test('one is deleted after a question, which has the focus', async () => {
  start({ removePasskey: answers<Passkey[], { passkeyId: string }>([fresh]) });
  await press('Delete the passkey “Chrome, Linux”');
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Delete the passkey “Chrome, Linux”?' }));
  await press('Keep passkey');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete the passkey “Chrome, Linux”' }));
  await press('Delete the passkey “Chrome, Linux”');
  await press('Delete passkey');
  await screen.findByText(/^The passkey “Chrome, Linux” has been deleted/);
  expect(lines()).toHaveLength(1);
});

test('one that could not be deleted stays, and the reason is said', async () => {
  start({ removePasskey: rejects({ kind: 'offline' }) });
  await press('Delete the passkey “Chrome, Linux”');
  await press('Delete passkey');
  await screen.findByRole('alert');
  expect(lines()).toHaveLength(2);
});

test('one is given another name, which is said and has the focus', async () => {
  start({
    renamePasskey: answers<Passkey[], { passkeyId: string; pii: { form: PasskeyNameForm | null } }>([
      { ...used, name: 'The blue one' },
      fresh,
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

test('the last way in is not deleted, and it is said why', async () => {
  start({ removePasskey: rejects({ kind: 'refused', code: 'last_way_in', message: '' }) });
  await press('Delete the passkey “Chrome, Linux”');
  await press('Delete passkey');
  expect((await screen.findByRole('alert')).textContent).toContain('only way into your account');
});
