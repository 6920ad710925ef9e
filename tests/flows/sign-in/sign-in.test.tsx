import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { SignInForm } from '../../../machines/model/account/session.ts';
import { requestPort } from '../../../machines/ports.ts';
import type { SignedInUser } from '../../../machines/app/session.ts';
import { signInMachine } from '../../../machines/account/sign-in.ts';
import { SignInView } from '../../../src/flows/sign-in/SignInView.tsx';
import { withoutPasskeys } from '../../support/without-passkeys.ts';
import { answeringPort, makeFlowInput, rejectingPort, startUnderShop, pendingPort, type Port } from '../../support/views/flow.ts';
import { findPressable, renderInShop, readState } from '../../support/views/show.tsx';

type SignInPort = Port<SignedInUser, { pii: { form: SignInForm | null } }>;

const start = (signIn: SignInPort, query: Record<string, string> = {}, path = '/signin') => {
  const input = makeFlowInput();
  const { actor, receivedEvents } = startUnderShop(signInMachine.provide({ actors: { passkey: withoutPasskeys, signIn } }), {
    ...input,
    route: { ...input.route, query },
  });
  return { actor, events: receivedEvents, container: renderInShop(<SignInView actor={actor} />, path) };
};

const fillForm = async (email: string, password: string) => {
  const user = userEvent.setup();
  if (email !== '') await user.type(screen.getByLabelText('Email address'), email);
  if (password !== '') await user.type(screen.getByLabelText('Password'), password);
  return user;
};

test('an invalid form shows problems beside its fields, and the first one takes the focus', async () => {
  const { container } = start(pendingPort());
  const user = await fillForm('not an address', '');
  await user.click(findPressable(container, 'signIn.submitted'));
  const email = screen.getByLabelText('Email address');
  expect(readState(container, 'signIn')).toBe('asking');
  expect(email.getAttribute('aria-invalid')).toBe('true');
  const description = document.getElementById(email.getAttribute('aria-describedby') ?? '');
  expect(description?.textContent).toContain('doesn’t look like an email address');
  expect(screen.getByText('Please fill in this field.')).toBeDefined();
  expect(document.activeElement).toBe(email);
});

test('a valid form is sent once by Enter, and shows progress', async () => {
  const forms: unknown[] = [];
  const { container } = start(
    requestPort(({ input }) => {
      forms.push(input.pii.form);
      return new Promise(() => undefined);
    }),
  );
  const user = await fillForm('ines@example.org', 'river-boat');
  await user.keyboard('{Enter}');
  expect(forms).toEqual([{ email: 'ines@example.org', password: 'river-boat', remember: true }]);
  expect(readState(container, 'signIn')).toBe('checking');
  expect(findPressable(container, 'signIn.submitted').getAttribute('aria-disabled')).toBe('true');
  await user.keyboard('{Enter}');
  expect(forms).toHaveLength(1);
});

test('a wrong password is reported, and the typed values stay', async () => {
  const { container } = start(rejectingPort({ kind: 'unauthorized' }));
  const user = await fillForm('ines@example.org', 'wrong');
  await user.click(findPressable(container, 'signIn.submitted'));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('email address or password is incorrect'));
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('wrong');
  expect(screen.queryByRole('button', { name: 'Save a record of this visit' })).toBeNull();
});

test('a server failure is reported, and the record of the visit is offered', async () => {
  const { container } = start(rejectingPort({ kind: 'http', status: 500, message: '' }));
  const user = await fillForm('ines@example.org', 'river-boat');
  await user.click(findPressable(container, 'signIn.submitted'));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Something went wrong on our side'));
  expect(screen.getByRole('button', { name: 'Save a record of this visit' })).toBeDefined();
});

test('a successful sign-in sends the new session to the app', async () => {
  const { container, events } = start(answeringPort({ userId: 'u-1', pii: { email: 'ines@example.org' } }));
  const user = await fillForm('ines@example.org', 'river-boat');
  await user.click(findPressable(container, 'signIn.submitted'));
  await waitFor(() => expect(readState(container, 'signIn')).toBe('welcomed'));
  expect(events).toEqual([
    { type: 'email.typed', pii: { email: 'ines@example.org' } },
    { type: 'session.started', userId: 'u-1', pii: { email: 'ines@example.org' } },
  ]);
});

test('the e-mail address typed in another form is filled in', () => {
  const input = { ...makeFlowInput(), typed: { pii: { email: 'ines@example.org' } } };
  const machine = signInMachine.provide({ actors: { passkey: withoutPasskeys, signIn: pendingPort() } });
  renderInShop(<SignInView actor={startUnderShop(machine, input).actor} />);
  expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe('ines@example.org');
});

test('the link to sign-up has the return address [S2.signin/create]', () => {
  start(pendingPort(), {}, '/signin?return=%2Ftitle%2Fpurchase%3Ftitleid%3D1&action=pay');
  expect(screen.getByRole('link', { name: 'Create an account' }).getAttribute('href')).toBe(
    '/signup?return=%2Ftitle%2Fpurchase%3Ftitleid%3D1&action=pay',
  );
});

test('an ended session is explained', () => {
  start(pendingPort(), { expired: '1' });
  expect(screen.getByRole('status').textContent).toContain('Your session has ended');
});

test('the password can be shown', async () => {
  start(pendingPort());
  const field = screen.getByLabelText('Password');
  expect(field.getAttribute('type')).toBe('password');
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(field.getAttribute('type')).toBe('text');
});

test('the form links to help with a forgotten password [S2.signin/forgot]', () => {
  start(pendingPort());
  expect(screen.getByRole('link', { name: 'Forgot your password?' }).getAttribute('href')).toBe('/forgotpassword');
});
