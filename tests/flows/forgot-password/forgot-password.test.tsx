import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { forgotPasswordMachine } from '../../../machines/account/forgot-password.ts';
import { ForgotPasswordView } from '../../../src/flows/forgot-password/ForgotPasswordView.tsx';
import { makeFlowInput, startUnderShop, pendingPort } from '../../support/views/flow.ts';
import { renderInShop } from '../../support/views/show.tsx';

const renderHeading = async (query: Record<string, string>) => {
  const input = makeFlowInput();
  const { actor } = startUnderShop(forgotPasswordMachine.provide({ actors: { requestLink: pendingPort() } }), {
    ...input,
    route: { ...input.route, query },
  });
  renderInShop(<ForgotPasswordView actor={actor} />, '/forgotpassword');
  return (await screen.findByRole('heading')).textContent;
};

test('a customer who did not change the account reads that the link can remove other ways to sign in', async () => {
  expect(await renderHeading({ notme: '1' })).toBe('Secure your account');
  expect(screen.getByText(/remove passkeys, devices and other ways to sign in/)).toBeDefined();
});

test('a customer who has forgotten a password reads nothing about removing other ways to sign in', async () => {
  expect(await renderHeading({})).toBe('Forgot your password?');
  expect(screen.queryByText(/remove passkeys/)).toBeNull();
});
