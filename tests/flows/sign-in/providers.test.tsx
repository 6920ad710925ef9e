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
import { answeringPort, makeFlowInput, rejectingPort, startUnderShop, pendingPort, type Port } from '../../support/views/flow.ts';
import { findPressable, renderInShop, readState } from '../../support/views/show.tsx';

const providerList: Provider[] = [
  { id: 'google', kind: 'oidc', name: 'Google' },
  { id: 'facebook', kind: 'facebook', name: 'Facebook' },
];

type StartPort = Port<string, ProviderChoice>;

const createProvidersMachine = (loadProviders: Port<Provider[], undefined>, startSignIn: StartPort = pendingPort()) =>
  providersMachine.provide({ actors: { loadProviders, startSignIn } });

const renderSignIn = (providers: typeof providersMachine) => {
  const input = makeFlowInput();
  const query = { return: '/mylibrary', action: 'open' };
  const { actor, receivedEvents } = startUnderShop(
    signInMachine.provide({ actors: { passkey: withoutPasskeys, providers, signIn: pendingPort() } }),
    {
      ...input,
      route: { ...input.route, query },
    },
  );
  return { events: receivedEvents, container: renderInShop(<SignInView actor={actor} />, '/signin') };
};

const readButtons = () => screen.queryAllByRole('button', { name: /^Continue with/ }).map(({ textContent }) => textContent);

test('every provider has a button, in the store’s order, below the form [S2.signin/providers]', async () => {
  const { container } = renderSignIn(createProvidersMachine(answeringPort(providerList)));
  await waitFor(() => expect(readButtons()).toEqual(['Continue with Google', 'Continue with Facebook']));
  const form = container.querySelector('form');
  expect(form?.compareDocumentPosition(screen.getByRole('button', { name: 'Continue with Google' }))).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  );
  expect(screen.getByRole('link', { name: 'terms of service' }).getAttribute('href')).toBe('/terms');
});

test('sign-up offers the same providers [S2.signup/providers]', async () => {
  const machine = signUpMachine.provide({
    actors: {
      providers: createProvidersMachine(answeringPort(providerList)),
      signUp: pendingPort(),
      loadFields: answeringPort<CustomField[], undefined>([]),
    },
  });
  renderInShop(<SignUpView actor={startUnderShop(machine, makeFlowInput()).actor} />, '/signup');
  await waitFor(() => expect(readButtons()).toEqual(['Continue with Google', 'Continue with Facebook']));
});

test.each([
  ['a list that never arrives', pendingPort<Provider[], undefined>()],
  ['an empty list', answeringPort<Provider[], undefined>([])],
  ['a list that fails', rejectingPort<Provider[], undefined>({ kind: 'offline' })],
])('%s of providers leaves only the form, which works', async (_, loadProviders) => {
  const { container } = renderSignIn(createProvidersMachine(loadProviders));
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Email address'), 'ines@example.org');
  await user.type(screen.getByLabelText('Password'), 'river-boat');
  expect(readButtons()).toEqual([]);
  expect(screen.queryByText('or')).toBeNull();
  await user.click(findPressable(container, 'signIn.submitted'));
  expect(readState(container, 'signIn')).toBe('checking');
});

test.each([true, false])('a press leads to the provider with the return address, remembered: %s', async (remember) => {
  const choices: ProviderChoice[] = [];
  const startSignIn: StartPort = requestPort(async ({ input }) => {
    choices.push(input);
    return 'https://provider.example/auth?…';
  });
  const { container, events } = renderSignIn(createProvidersMachine(answeringPort(providerList), startSignIn));
  const user = userEvent.setup();
  if (!remember) await user.click(screen.getByLabelText('Remember me'));
  await user.click(await screen.findByRole('button', { name: 'Continue with Facebook' }));
  await waitFor(() => expect(readState(container, 'providers')).toBe('leaving'));
  expect(choices).toEqual([{ providerId: 'facebook', remember, way: { path: '/mylibrary', action: 'open' } }]);
  expect(events).toEqual([{ type: 'leave', url: 'https://provider.example/auth?…' }]);
  for (const button of screen.getAllByRole('button', { name: /^Continue with/ }))
    expect(button.hasAttribute('disabled')).toBe(true);
});

test('a provider that does not answer is reported, and can be retried', async () => {
  const problem = { kind: 'refused', code: 'provider_unreachable', message: '' } as const;
  renderSignIn(createProvidersMachine(answeringPort(providerList), rejectingPort(problem)));
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Continue with Google' }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('isn’t responding'));
  expect(screen.getByRole('button', { name: 'Continue with Google' }).hasAttribute('disabled')).toBe(false);
});

test('signing in by telephone replaces the buttons, and can be cancelled', async () => {
  const phone: Provider = { id: 'phone', kind: 'phone', name: 'Phone' };
  const { container } = renderSignIn(createProvidersMachine(answeringPort([...providerList, phone])));
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Continue with a phone number' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Phone number'));
  expect(readButtons()).toEqual([]);
  await user.click(findPressable(container, 'phone.submitted'));
  expect(screen.getByLabelText('Phone number').getAttribute('aria-invalid')).toBe('true');
  await user.click(findPressable(container, 'cancel.pressed'));
  expect(readButtons()).toHaveLength(3);
});
