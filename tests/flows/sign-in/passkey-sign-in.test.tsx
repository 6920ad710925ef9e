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

const start = (signInByPasskey: SignInPort, isSupported = true, autofill: Port<SignedInUser, undefined> = pendingPort()) => {
  const canUsePasskeys = safePort<boolean>(
    async () => isSupported,
    () => false,
  );
  const passkey = passkeySignInMachine.provide({ actors: { canUsePasskeys, signInByPasskey, autofill } });
  const { actor, receivedEvents } = startUnderShop(
    signInMachine.provide({ actors: { passkey, signIn: pendingPort() } }),
    makeFlowInput(),
  );
  return { events: receivedEvents, container: renderInShop(<SignInView actor={actor} />, '/signin') };
};

const findButton = () => screen.findByRole('button', { name: 'Sign in with a passkey' });

test('the passkey button is below the form, where it causes no layout shift', async () => {
  const { container } = start(pendingPort());
  const form = container.querySelector('form') as HTMLElement;
  expect(form.compareDocumentPosition(await findButton())).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('a browser without passkey support shows no passkey button', async () => {
  const { container } = start(pendingPort(), false);
  await waitFor(() => expect(readState(container, 'passkeySignIn')).toBe('none'));
  expect(screen.queryByRole('button', { name: /passkey/ })).toBeNull();
});

test('a sign-in by passkey is remembered as the form says', async () => {
  const rememberChoices: boolean[] = [];
  const customer = { userId: 'u-1', pii: { email: 'ines@example.org' } };
  const { events } = start(
    requestPort<SignedInUser, { remember: boolean }>(async ({ input }) => {
      rememberChoices.push(input.remember);
      return customer;
    }),
  );
  await userEvent.click(screen.getByLabelText('Remember me'));
  await userEvent.click(await findButton());
  await waitFor(() => expect(events).toEqual([{ type: 'session.started', ...customer }]));
  expect(rememberChoices).toEqual([false]);
});

test('during the device’s prompt the passkey button says so, and the form stays usable', async () => {
  start(pendingPort());
  await userEvent.click(await findButton());
  const waitingButton = screen.getByRole('button', { name: 'Waiting for your device…' });
  expect(waitingButton.hasAttribute('disabled')).toBe(true);
  expect(screen.getByRole('button', { name: 'Sign in' }).hasAttribute('disabled')).toBe(false);
});

test('a cancelled prompt says that no passkey was used, and is not an error', async () => {
  start(rejectingPort({ kind: 'refused', code: 'passkey_cancelled', message: '' }));
  const button = await findButton();
  const status = screen.getByRole('status');
  await userEvent.click(button);
  await waitFor(() => expect(status.textContent).toContain('No passkey was used'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([
  ['passkey_refused', 'doesn’t belong to any account'],
  ['passkey_over', 'took too long'],
  ['passkey_unsupported', 'couldn’t use a passkey here'],
])('a passkey sign-in refused as %s is explained', async (code, expectedText) => {
  start(rejectingPort({ kind: 'refused', code, message: '' }));
  await userEvent.click(await findButton());
  expect((await screen.findByRole('alert')).textContent).toContain(expectedText);
  expect(await findButton()).toBeDefined();
});

test('a passkey chosen in the address field signs in without a press', async () => {
  const customer = { userId: 'u-1', pii: { email: 'ines@example.org' } };
  const { events } = start(
    pendingPort(),
    true,
    requestPort<SignedInUser>(async () => customer),
  );
  await waitFor(() => expect(events).toEqual([{ type: 'session.started', ...customer }]));
});
