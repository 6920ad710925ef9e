import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { CustomField } from '../../../machines/model/account/custom-field.ts';
import type { SignUpForm } from '../../../machines/model/account/session.ts';
import { requestPort } from '../../../machines/ports.ts';
import type { SignedIn } from '../../../machines/app/session.ts';
import { signUpMachine } from '../../../machines/account/sign-up.ts';
import { SignUpView } from '../../../src/flows/sign-up/SignUpView.tsx';
import { answers, flowInput, rejects, underShop, waits, type Port } from '../../support/views/flow.ts';
import { pressable, show, stateOf } from '../../support/views/show.tsx';

type SignUp = Port<SignedIn, { pii: { form: SignUpForm | null } }>;

const start = (signUp: SignUp, path = '/signup', asked: CustomField[] = []) => {
  const { actor } = underShop(signUpMachine.provide({ actors: { signUp, loadFields: answers(asked) } }), flowInput());
  return show(<SignUpView actor={actor} />, path);
};

const fill = async (password: string, agree: boolean) => {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Your name'), 'Ines Marlow');
  await user.type(screen.getByLabelText('Email address'), 'ines@example.org');
  await user.type(screen.getByLabelText('Password'), password);
  if (agree) await user.click(screen.getByRole('checkbox', { name: /I agree/ }));
  return user;
};

test('an account needs eight characters and an agreement [S2.signup/terms]', async () => {
  const container = start(waits());
  const user = await fill('short', false);
  await user.click(pressable(container, 'signUp.submitted'));
  expect(stateOf(container, 'signUp')).toBe('asking');
  expect(screen.getByText('Use at least 8 characters.')).toBeDefined();
  expect(screen.getByText('Please agree to continue.')).toBeDefined();
  expect(document.activeElement).toBe(screen.getByLabelText('Password'));
});

test('a whole form is sent', async () => {
  const forms: unknown[] = [];
  const container = start(
    requestPort(({ input }) => {
      forms.push(input.pii.form);
      return new Promise(() => undefined);
    }),
  );
  const user = await fill('river-boat', true);
  await user.click(pressable(container, 'signUp.submitted'));
  expect(forms).toEqual([
    { name: 'Ines Marlow', email: 'ines@example.org', password: 'river-boat', agree: true, newsletter: false, custom: {} },
  ]);
  expect(stateOf(container, 'signUp')).toBe('checking');
});

test('an address that has an account is told to sign in, by the same way back [S2.signup/account]', async () => {
  const container = start(rejects({ kind: 'refused', code: 'email_taken', message: 'Taken.' }), '/signup?return=%2Fall');
  const user = await fill('river-boat', true);
  await user.click(pressable(container, 'signUp.submitted'));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Sign in instead'));
  // From the button below the form, the keyboard goes on at what is wrong with it.
  expect(document.activeElement).toBe(screen.getByRole('alert'));
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/signin?return=%2Fall');
});

test('terms and privacy can be read first', async () => {
  start(waits());
  expect((await screen.findByRole('link', { name: 'terms of service' })).getAttribute('href')).toBe('/terms');
  expect(screen.getByRole('link', { name: 'privacy policy' }).getAttribute('href')).toBe('/privacy');
});

const asked: CustomField[] = [
  { id: 'town', kind: 'text', label: 'Your town', isRequired: true, choices: [] },
  { id: 'shelf', kind: 'choice', label: 'Favourite shelf', isRequired: false, choices: [{ value: 'sea', text: 'The sea' }] },
  { id: 'born', kind: 'date', label: 'Birthday', isRequired: false, choices: [] },
  { id: 'rooms', kind: 'number', label: 'Rooms', isRequired: false, choices: [] },
  { id: 'club', kind: 'checkbox', label: 'I join the reading circle', isRequired: false, choices: [] },
];

test('what the store asks for is asked for, judged by its kind, and sent [S7.user/signup/fields]', async () => {
  const forms: (SignUpForm | null)[] = [];
  const signUp: SignUp = requestPort(({ input }) => {
    forms.push(input.pii.form);
    return new Promise(() => undefined);
  });
  const container = start(signUp, '/signup', asked);
  const user = await fill('river-boat', true);
  await user.selectOptions(screen.getByLabelText('Favourite shelf'), 'The sea');
  await user.type(screen.getByLabelText('Rooms'), 'a few');
  await user.click(screen.getByRole('checkbox', { name: 'I join the reading circle' }));
  await user.click(pressable(container, 'signUp.submitted'));
  expect(forms).toEqual([]);
  expect(screen.getByText('Please fill in this field.')).toBeDefined();
  expect(screen.getByText('Please enter a number.')).toBeDefined();
  expect(document.activeElement).toBe(screen.getByLabelText('Your town'));
  await user.type(screen.getByLabelText('Your town'), 'Quay');
  await user.clear(screen.getByLabelText('Rooms'));
  await user.type(screen.getByLabelText('Rooms'), '2,5');
  await user.click(pressable(container, 'signUp.submitted'));
  expect(forms.map((form) => form?.custom)).toEqual([{ town: 'Quay', shelf: 'sea', born: '', rooms: '2.5', club: 'true' }]);
});
