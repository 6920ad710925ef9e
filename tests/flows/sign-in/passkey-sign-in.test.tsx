import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { passkeySignInMachine } from '../../../machines/account/passkey-sign-in.ts';
import { signInMachine } from '../../../machines/account/sign-in.ts';
import type { SignedIn } from '../../../machines/app/session.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { SignInView } from '../../../src/flows/sign-in/SignInView.tsx';
import { flowInput, rejects, underShop, waits, type Port } from '../../support/views/flow.ts';
import { show, stateOf } from '../../support/views/show.tsx';

type SignIn = Port<SignedIn, { remember: boolean }>;

const start = (signInByPasskey: SignIn, can = true, autofill: Port<SignedIn, undefined> = waits()) => {
  const canUsePasskeys = safePort<boolean>(
    async () => can,
    () => false,
  );
  const passkey = passkeySignInMachine.provide({ actors: { canUsePasskeys, signInByPasskey, autofill } });
  const { actor, told } = underShop(signInMachine.provide({ actors: { passkey, signIn: waits() } }), flowInput());
  return { told, container: show(<SignInView actor={actor} />, '/signin') };
};

const button = () => screen.findByRole('button', { name: 'Sign in with a passkey' });

test('the button stands below the form, which it does not move', async () => {
  const { container } = start(waits());
  const form = container.querySelector('form') as HTMLElement;
  expect(form.compareDocumentPosition(await button())).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('a browser that knows no passkeys is not offered any', async () => {
  const { container } = start(waits(), false);
  await waitFor(() => expect(stateOf(container, 'passkeySignIn')).toBe('none'));
  expect(screen.queryByRole('button', { name: /passkey/ })).toBeNull();
});

test('who presses it is asked by their device, and signed in for as long as the form says', async () => {
  const asked: boolean[] = [];
  const customer = { userId: 'u-1', pii: { email: 'ines@example.org' } };
  const { told } = start(
    requestPort<SignedIn, { remember: boolean }>(async ({ input }) => {
      asked.push(input.remember);
      return customer;
    }),
  );
  await userEvent.click(screen.getByLabelText('Remember me'));
  await userEvent.click(await button());
  await waitFor(() => expect(told).toEqual([{ type: 'session.started', ...customer }]));
  expect(asked).toEqual([false]);
});

test('while the device is asked the button says so, and the form goes on working', async () => {
  start(waits());
  await userEvent.click(await button());
  const waiting = screen.getByRole('button', { name: 'Waiting for your device…' });
  expect(waiting.hasAttribute('disabled')).toBe(true);
  expect(screen.getByRole('button', { name: 'Sign in' }).hasAttribute('disabled')).toBe(false);
});

test('who does not want to after all is told that nothing was used, and that is no error', async () => {
  start(rejects({ kind: 'refused', code: 'passkey_cancelled', message: '' }));
  const pressed = await button();
  const status = screen.getByRole('status');
  await userEvent.click(pressed);
  await waitFor(() => expect(status.textContent).toContain('No passkey was used'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([
  ['passkey_refused', 'doesn’t open an account'],
  ['passkey_over', 'took too long'],
  ['passkey_unsupported', 'couldn’t use a passkey here'],
])('%s is told in words', async (code, words) => {
  start(rejects({ kind: 'refused', code, message: '' }));
  await userEvent.click(await button());
  expect((await screen.findByRole('alert')).textContent).toContain(words);
  expect(await button()).toBeDefined();
});

test('who chooses one in the address field is signed in without a press', async () => {
  const customer = { userId: 'u-1', pii: { email: 'ines@example.org' } };
  const { told } = start(
    waits(),
    true,
    requestPort<SignedIn>(async () => customer),
  );
  await waitFor(() => expect(told).toEqual([{ type: 'session.started', ...customer }]));
});
