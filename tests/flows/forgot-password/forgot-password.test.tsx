import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { forgotPasswordMachine } from '../../../machines/account/forgot-password.ts';
import { ForgotPasswordView } from '../../../src/flows/forgot-password/ForgotPasswordView.tsx';
import { flowInput, underShop, waits } from '../../support/views/flow.ts';
import { show } from '../../support/views/show.tsx';

const headingAt = async (query: Record<string, string>) => {
  const input = flowInput();
  const { actor } = underShop(forgotPasswordMachine.provide({ actors: { requestLink: waits() } }), {
    ...input,
    route: { ...input.route, query },
  });
  show(<ForgotPasswordView actor={actor} />, '/forgotpassword');
  return (await screen.findByRole('heading')).textContent;
};

test('a customer who did not change the account reads that the link can remove other ways in', async () => {
  expect(await headingAt({ notme: '1' })).toBe('Secure your account');
  expect(screen.getByText(/remove passkeys, devices and other ways into your account/)).toBeDefined();
});

test('a customer who has forgotten a password reads nothing about removal', async () => {
  expect(await headingAt({})).toBe('Forgot your password?');
  expect(screen.queryByText(/remove passkeys/)).toBeNull();
});
