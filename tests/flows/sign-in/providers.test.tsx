import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { providersMachine } from '../../../machines/account/providers.ts';
import { signInMachine } from '../../../machines/account/sign-in.ts';
import { signUpMachine } from '../../../machines/account/sign-up.ts';
import type { CustomField } from '../../../machines/model/account/custom-field.ts';
import type { Provider, ProviderChoice } from '../../../machines/model/account/provider.ts';
import { requestPort } from '../../../machines/ports.ts';
import { SignInView } from '../../../src/flows/sign-in/SignInView.tsx';
import { SignUpView } from '../../../src/flows/sign-up/SignUpView.tsx';
import { withoutPasskeys } from '../../support/without-passkeys.ts';
import { answers, flowInput, rejects, underShop, waits, type Port } from '../../support/views/flow.ts';
import { pressable, show, stateOf } from '../../support/views/show.tsx';

const list: Provider[] = [
  { id: 'google', kind: 'oidc', name: 'Google' },
  { id: 'facebook', kind: 'facebook', name: 'Facebook' },
];

type Start = Port<string, ProviderChoice>;

const providersWith = (loadProviders: Port<Provider[], undefined>, startSignIn: Start = waits()) =>
  providersMachine.provide({ actors: { loadProviders, startSignIn } });

const atSignIn = (providers: typeof providersMachine) => {
  const input = flowInput();
  const query = { return: '/mylibrary', action: 'open' };
  const { actor, told } = underShop(signInMachine.provide({ actors: { passkey: withoutPasskeys, providers, signIn: waits() } }), {
    ...input,
    route: { ...input.route, query },
  });
  return { told, container: show(<SignInView actor={actor} />, '/signin') };
};

const buttons = () => screen.queryAllByRole('button', { name: /^Continue with/ }).map(({ textContent }) => textContent);

test('every provider has a button, in the store’s order, below the form [S2.signin/providers]', async () => {
  const { container } = atSignIn(providersWith(answers(list)));
  await waitFor(() => expect(buttons()).toEqual(['Continue with Google', 'Continue with Facebook']));
  const form = container.querySelector('form');
  expect(form?.compareDocumentPosition(screen.getByRole('button', { name: 'Continue with Google' }))).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  );
  expect(screen.getByRole('link', { name: 'terms of service' }).getAttribute('href')).toBe('/terms');
});

test('who signs up is offered the same [S2.signup/providers]', async () => {
  const machine = signUpMachine.provide({
    actors: { providers: providersWith(answers(list)), signUp: waits(), loadFields: answers<CustomField[], undefined>([]) },
  });
  show(<SignUpView actor={underShop(machine, flowInput()).actor} />, '/signup');
  await waitFor(() => expect(buttons()).toEqual(['Continue with Google', 'Continue with Facebook']));
});

test.each([
  ['a list that does not come', waits<Provider[], undefined>()],
  ['an empty list', answers<Provider[], undefined>([])],
  ['a list that fails', rejects<Provider[], undefined>({ kind: 'offline' })],
])('%s leaves the form alone, which works', async (_what, loadProviders) => {
  const { container } = atSignIn(providersWith(loadProviders));
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Email address'), 'ines@example.org');
  await user.type(screen.getByLabelText('Password'), 'river-boat');
  expect(buttons()).toEqual([]);
  expect(screen.queryByText('or')).toBeNull();
  await user.click(pressable(container, 'signIn.submitted'));
  expect(stateOf(container, 'signIn')).toBe('checking');
});

test.each([true, false])('a press leads to the provider with where to go on, remembered: %s', async (remember) => {
  const choices: ProviderChoice[] = [];
  const startSignIn: Start = requestPort(async ({ input }) => {
    choices.push(input);
    return 'https://provider.example/auth?…';
  });
  const { container, told } = atSignIn(providersWith(answers(list), startSignIn));
  const user = userEvent.setup();
  if (!remember) await user.click(screen.getByLabelText('Remember me'));
  await user.click(await screen.findByRole('button', { name: 'Continue with Facebook' }));
  await waitFor(() => expect(stateOf(container, 'providers')).toBe('leaving'));
  expect(choices).toEqual([{ providerId: 'facebook', remember, way: { path: '/mylibrary', action: 'open' } }]);
  expect(told).toEqual([{ type: 'leave', url: 'https://provider.example/auth?…' }]);
  for (const button of screen.getAllByRole('button', { name: /^Continue with/ }))
    expect(button.hasAttribute('disabled')).toBe(true);
});

test('a provider that does not answer is told, and can be tried again', async () => {
  const problem = { kind: 'refused', code: 'provider_unreachable', message: '' } as const;
  atSignIn(providersWith(answers(list), rejects(problem)));
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Continue with Google' }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('isn’t answering'));
  expect(screen.getByRole('button', { name: 'Continue with Google' }).hasAttribute('disabled')).toBe(false);
});

test('signing in by telephone takes the place of the buttons, and can be left again', async () => {
  const phone: Provider = { id: 'phone', kind: 'phone', name: 'Phone' };
  const { container } = atSignIn(providersWith(answers([...list, phone])));
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Continue with a phone number' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Phone number'));
  expect(buttons()).toEqual([]);
  await user.click(pressable(container, 'phone.submitted'));
  expect(screen.getByLabelText('Phone number').getAttribute('aria-invalid')).toBe('true');
  await user.click(pressable(container, 'cancel.pressed'));
  expect(buttons()).toHaveLength(3);
});
