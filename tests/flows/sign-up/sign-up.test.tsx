import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { CustomField } from '../../../machines/model/account/custom-field.ts';
import type { SignUpForm } from '../../../machines/model/account/session.ts';
import { requestPort } from '../../../machines/ports.ts';
import type { SignedInUser } from '../../../machines/app/session.ts';
import { signUpMachine } from '../../../machines/account/sign-up.ts';
import { SignUpView } from '../../../src/flows/sign-up/SignUpView.tsx';
import { answeringPort, makeFlowInput, rejectingPort, startUnderShop, pendingPort, type Port } from '../../support/views/flow.ts';
import { findPressable, renderInShop, readState } from '../../support/views/show.tsx';

type SignUpPort = Port<SignedInUser, { pii: { form: SignUpForm | null } }>;

const start = (signUp: SignUpPort, path = '/signup', fields: CustomField[] = []) => {
  const { actor } = startUnderShop(
    signUpMachine.provide({ actors: { signUp, loadFields: answeringPort(fields) } }),
    makeFlowInput(),
  );
  return renderInShop(<SignUpView actor={actor} />, path);
};

const fillForm = async (password: string, agree: boolean) => {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Your name'), 'Ines Marlow');
  await user.type(screen.getByLabelText('Email address'), 'ines@example.org');
  await user.type(screen.getByLabelText('Password'), password);
  if (agree) await user.click(screen.getByRole('checkbox', { name: /I agree/ }));
  return user;
};

test('an account needs a password of eight characters and an agreement [S2.signup/terms]', async () => {
  const container = start(pendingPort());
  const user = await fillForm('short', false);
  await user.click(findPressable(container, 'signUp.submitted'));
  expect(readState(container, 'signUp')).toBe('asking');
  expect(screen.getByText('Use at least 8 characters.')).toBeDefined();
  expect(screen.getByText('Please agree to continue.')).toBeDefined();
  expect(document.activeElement).toBe(screen.getByLabelText('Password'));
});

test('a complete form is sent', async () => {
  const forms: unknown[] = [];
  const container = start(
    requestPort(({ input }) => {
      forms.push(input.pii.form);
      return new Promise(() => undefined);
    }),
  );
  const user = await fillForm('river-boat', true);
  await user.click(findPressable(container, 'signUp.submitted'));
  expect(forms).toEqual([
    { name: 'Ines Marlow', email: 'ines@example.org', password: 'river-boat', agree: true, newsletter: false, custom: {} },
  ]);
  expect(readState(container, 'signUp')).toBe('checking');
});

test('a known e-mail address gets a link to sign-in, with the same return address [S2.signup/account]', async () => {
  const container = start(rejectingPort({ kind: 'refused', code: 'email_taken', message: 'Taken.' }), '/signup?return=%2Fall');
  const user = await fillForm('river-boat', true);
  await user.click(findPressable(container, 'signUp.submitted'));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Sign in instead'));
  // The focus moves from the button below the form to the first problem.
  expect(document.activeElement).toBe(screen.getByRole('alert'));
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/signin?return=%2Fall');
});

test('the form links to the terms and the privacy policy', async () => {
  start(pendingPort());
  expect((await screen.findByRole('link', { name: 'terms of service' })).getAttribute('href')).toBe('/terms');
  expect(screen.getByRole('link', { name: 'privacy policy' }).getAttribute('href')).toBe('/privacy');
});

const customFields: CustomField[] = [
  { id: 'town', kind: 'text', label: 'Your town', isRequired: true, choices: [] },
  { id: 'shelf', kind: 'choice', label: 'Favourite shelf', isRequired: false, choices: [{ value: 'sea', text: 'The sea' }] },
  { id: 'born', kind: 'date', label: 'Birthday', isRequired: false, choices: [] },
  { id: 'rooms', kind: 'number', label: 'Rooms', isRequired: false, choices: [] },
  { id: 'club', kind: 'checkbox', label: 'I join the reading circle', isRequired: false, choices: [] },
];

test('the store’s custom fields are shown, validated by kind, and sent [S7.user/signup/fields]', async () => {
  const forms: (SignUpForm | null)[] = [];
  const signUp: SignUpPort = requestPort(({ input }) => {
    forms.push(input.pii.form);
    return new Promise(() => undefined);
  });
  const container = start(signUp, '/signup', customFields);
  const user = await fillForm('river-boat', true);
  await user.selectOptions(screen.getByLabelText('Favourite shelf'), 'The sea');
  await user.type(screen.getByLabelText('Rooms'), 'a few');
  await user.click(screen.getByRole('checkbox', { name: 'I join the reading circle' }));
  await user.click(findPressable(container, 'signUp.submitted'));
  expect(forms).toEqual([]);
  expect(screen.getByText('Please fill in this field.')).toBeDefined();
  expect(screen.getByText('Please enter a number.')).toBeDefined();
  expect(document.activeElement).toBe(screen.getByLabelText('Your town'));
  await user.type(screen.getByLabelText('Your town'), 'Quay');
  await user.clear(screen.getByLabelText('Rooms'));
  await user.type(screen.getByLabelText('Rooms'), '2,5');
  await user.click(findPressable(container, 'signUp.submitted'));
  expect(forms.map((form) => form?.custom)).toEqual([{ town: 'Quay', shelf: 'sea', born: '', rooms: '2.5', club: 'true' }]);
});
