import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { passkeySignInMachine } from '../../../machines/account/passkey-sign-in.ts';
import { signInMachine } from '../../../machines/account/sign-in.ts';
import type { SignedInUser } from '../../../machines/app/session.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { SignInView } from '../../../src/flows/sign-in/SignInView.tsx';
import { makeFlowInput, rejectingPort, startUnderShop, pendingPort, type Port } from '../../support/views/flow.ts';
import { renderInShop, readState } from '../../support/views/show.tsx';

type SignInPort = Port<SignedInUser, { remember: boolean }>;

const start = (signInByPasskey: SignInPort, can = true, autofill: Port<SignedInUser, undefined> = pendingPort()) => {
  const canUsePasskeys = safePort<boolean>(
    async () => can,
    () => false,
  );
  const passkey = passkeySignInMachine.provide({ actors: { canUsePasskeys, signInByPasskey, autofill } });
  const { actor, told } = startUnderShop(signInMachine.provide({ actors: { passkey, signIn: pendingPort() } }), makeFlowInput());
  return { told, container: renderInShop(<SignInView actor={actor} />, '/signin') };
};

const findButton = () => screen.findByRole('button', { name: 'Sign in with a passkey' });

test('the button is below the form, and causes no layout shift', async () => {
  const { container } = start(pendingPort());
  const form = container.querySelector('form') as HTMLElement;
  expect(form.compareDocumentPosition(await findButton())).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('a browser without passkey support does not show the button', async () => {
  const { container } = start(pendingPort(), false);
  await waitFor(() => expect(readState(container, 'passkeySignIn')).toBe('none'));
  expect(screen.queryByRole('button', { name: /passkey/ })).toBeNull();
});

test('a press opens the device’s prompt, and signs in for as long as the form says', async () => {
  const asked: boolean[] = [];
  const customer = { userId: 'u-1', pii: { email: 'ines@example.org' } };
  const { told } = start(
    requestPort<SignedInUser, { remember: boolean }>(async ({ input }) => {
      asked.push(input.remember);
      return customer;
    }),
  );
  await userEvent.click(screen.getByLabelText('Remember me'));
  await userEvent.click(await findButton());
  await waitFor(() => expect(told).toEqual([{ type: 'session.started', ...customer }]));
  expect(asked).toEqual([false]);
});

test('during the device’s prompt the button says so, and the form stays usable', async () => {
  start(pendingPort());
  await userEvent.click(await findButton());
  const waiting = screen.getByRole('button', { name: 'Waiting for your device…' });
  expect(waiting.hasAttribute('disabled')).toBe(true);
  expect(screen.getByRole('button', { name: 'Sign in' }).hasAttribute('disabled')).toBe(false);
});

test('a cancelled prompt says that no passkey was used, and is not an error', async () => {
  start(rejectingPort({ kind: 'refused', code: 'passkey_cancelled', message: '' }));
  const pressed = await findButton();
  const status = screen.getByRole('status');
  await userEvent.click(pressed);
  await waitFor(() => expect(status.textContent).toContain('No passkey was used'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([
  ['passkey_refused', 'doesn’t belong to any account'],
  ['passkey_over', 'took too long'],
  ['passkey_unsupported', 'couldn’t use a passkey here'],
])('%s is explained', async (code, words) => {
  start(rejectingPort({ kind: 'refused', code, message: '' }));
  await userEvent.click(await findButton());
  expect((await screen.findByRole('alert')).textContent).toContain(words);
  expect(await findButton()).toBeDefined();
});

test('a passkey chosen in the address field signs in without a press', async () => {
  const customer = { userId: 'u-1', pii: { email: 'ines@example.org' } };
  const { told } = start(
    pendingPort(),
    true,
    requestPort<SignedInUser>(async () => customer),
  );
  await waitFor(() => expect(told).toEqual([{ type: 'session.started', ...customer }]));
});
