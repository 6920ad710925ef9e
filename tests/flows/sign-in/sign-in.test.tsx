import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { SignInForm } from '../../../machines/model/account/session.ts';
import { requestPort } from '../../../machines/ports.ts';
import type { SignedIn } from '../../../machines/app/session.ts';
import { signInMachine } from '../../../machines/account/sign-in.ts';
import { SignInView } from '../../../src/flows/sign-in/SignInView.tsx';
import { withoutPasskeys } from '../../support/without-passkeys.ts';
import { answers, flowInput, rejects, underShop, waits, type Port } from '../../support/views/flow.ts';
import { pressable, show, stateOf } from '../../support/views/show.tsx';

type SignIn = Port<SignedIn, { pii: { form: SignInForm | null } }>;

const start = (signIn: SignIn, query: Record<string, string> = {}, path = '/signin') => {
  const input = flowInput();
  const { actor, told } = underShop(signInMachine.provide({ actors: { passkey: withoutPasskeys, signIn } }), {
    ...input,
    route: { ...input.route, query },
  });
  return { actor, told, container: show(<SignInView actor={actor} />, path) };
};

const fill = async (email: string, password: string) => {
  const user = userEvent.setup();
  if (email !== '') await user.type(screen.getByLabelText('Email address'), email);
  if (password !== '') await user.type(screen.getByLabelText('Password'), password);
  return user;
};

test('a form that cannot be right is refused beside its fields, and its first problem takes the focus', async () => {
  const { container } = start(waits());
  const user = await fill('not an address', '');
  await user.click(pressable(container, 'signIn.submitted'));
  const email = screen.getByLabelText('Email address');
  expect(stateOf(container, 'signIn')).toBe('asking');
  expect(email.getAttribute('aria-invalid')).toBe('true');
  const described = document.getElementById(email.getAttribute('aria-describedby') ?? '');
  expect(described?.textContent).toContain('doesn’t look like an email address');
  expect(screen.getByText('Please fill in this field.')).toBeDefined();
  expect(document.activeElement).toBe(email);
});

test('a good form is sent whole by the Enter key, and waits', async () => {
  const forms: unknown[] = [];
  const { container } = start(
    requestPort(({ input }) => {
      forms.push(input.pii.form);
      return new Promise(() => undefined);
    }),
  );
  const user = await fill('ines@example.org', 'river-boat');
  await user.keyboard('{Enter}');
  expect(forms).toEqual([{ email: 'ines@example.org', password: 'river-boat', remember: true }]);
  expect(stateOf(container, 'signIn')).toBe('checking');
  expect(pressable(container, 'signIn.submitted').getAttribute('aria-disabled')).toBe('true');
  await user.keyboard('{Enter}');
  expect(forms).toHaveLength(1);
});

test('a wrong password says so and keeps what was typed', async () => {
  const { container } = start(rejects({ kind: 'unauthorized' }));
  const user = await fill('ines@example.org', 'wrong');
  await user.click(pressable(container, 'signIn.submitted'));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('email address or password is incorrect'));
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('wrong');
  expect(screen.queryByRole('button', { name: 'Save a record of this visit' })).toBeNull();
});

test('a server that fails says so, and the record of the visit is offered', async () => {
  const { container } = start(rejects({ kind: 'http', status: 500, message: '' }));
  const user = await fill('ines@example.org', 'river-boat');
  await user.click(pressable(container, 'signIn.submitted'));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Something went wrong on our side'));
  expect(screen.getByRole('button', { name: 'Save a record of this visit' })).toBeDefined();
});

test('a customer who is known is reported to the shop', async () => {
  const { container, told } = start(answers({ userId: 'u-1', pii: { email: 'ines@example.org' } }));
  const user = await fill('ines@example.org', 'river-boat');
  await user.click(pressable(container, 'signIn.submitted'));
  await waitFor(() => expect(stateOf(container, 'signIn')).toBe('welcomed'));
  expect(told).toEqual([
    { type: 'email.typed', pii: { email: 'ines@example.org' } },
    { type: 'session.started', userId: 'u-1', pii: { email: 'ines@example.org' } },
  ]);
});

test('the address that was typed on the form before stands in this one', () => {
  const input = { ...flowInput(), typed: { pii: { email: 'ines@example.org' } } };
  const machine = signInMachine.provide({ actors: { passkey: withoutPasskeys, signIn: waits() } });
  show(<SignInView actor={underShop(machine, input).actor} />);
  expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe('ines@example.org');
});

test('the way back survives on the way to a new account [S2.signin/create]', () => {
  start(waits(), {}, '/signin?return=%2Ftitle%2Fpurchase%3Ftitleid%3D1&action=pay');
  expect(screen.getByRole('link', { name: 'Create an account' }).getAttribute('href')).toBe(
    '/signup?return=%2Ftitle%2Fpurchase%3Ftitleid%3D1&action=pay',
  );
});

test('an ended session is named', () => {
  start(waits(), { expired: '1' });
  expect(screen.getByRole('status').textContent).toContain('Your session has ended');
});

test('the password can be looked at', async () => {
  start(waits());
  const field = screen.getByLabelText('Password');
  expect(field.getAttribute('type')).toBe('password');
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(field.getAttribute('type')).toBe('text');
});

test('leads to help with a forgotten password [S2.signin/forgot]', () => {
  start(waits());
  expect(screen.getByRole('link', { name: 'Forgot your password?' }).getAttribute('href')).toBe('/forgotpassword');
});
