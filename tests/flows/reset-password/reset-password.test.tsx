import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { resetPasswordMachine } from '../../../machines/account/reset-password.ts';
import type { FlowInput } from '../../../machines/flows/flow-input.ts';
import type { ResetForm, RemovableLogin } from '../../../machines/model/account/reset.ts';
import { requestPort } from '../../../machines/ports.ts';
import { ResetPasswordView } from '../../../src/flows/reset-password/ResetPasswordView.tsx';
import { answeringPort, makeFlowInput, rejectingPort, startUnderShop, type Port } from '../../support/views/flow.ts';
import { findPressable, renderInShop, readState } from '../../support/views/show.tsx';

type Save = Port<object, { pii: { form: ResetForm | null } }>;

const makeMethod = (overrides: Partial<RemovableLogin>): RemovableLogin => ({
  kind: 'passkey',
  id: 'p1',
  name: 'Laptop',
  usedAt: '',
  goesAnyway: false,
  ...overrides,
});
const methods = [
  makeMethod({}),
  makeMethod({ kind: 'provider', id: 'sso', name: 'Lamplight' }),
  makeMethod({ kind: 'phone', id: 'phone', name: 'Phone' }),
  makeMethod({ kind: 'device', id: 'd1', name: 'Chrome, Linux', usedAt: '2026-01-02T00:00:00.000Z' }),
];
const labels = [/Passkey “Laptop”/, /Sign-in with Lamplight/, /Sign-in with a phone number/, /Device: Chrome, Linux/];

const inputWithQuery = (query: Record<string, string>): FlowInput => {
  const input = makeFlowInput();
  return { ...input, route: { ...input.route, query } };
};

const start = (logins: RemovableLogin[], savePassword: Save = answeringPort({}), query: Record<string, string> = {}) => {
  const machine = resetPasswordMachine.provide({
    actors: { checkLink: answeringPort(true), loadResetMethods: answeringPort(logins), savePassword },
  });
  const { actor } = startUnderShop(machine, inputWithQuery(query));
  return renderInShop(<ResetPasswordView actor={actor} />, '/resetpassword/x');
};

const readTicks = async () =>
  Promise.all(labels.map(async (name) => (await screen.findByRole<HTMLInputElement>('checkbox', { name })).checked));

const typeTwice = async () => {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('New password'), 'lamp and oil');
  await user.type(screen.getByLabelText('New password, once more'), 'lamp and oil');
  return user;
};

describe('the other ways to sign in', () => {
  test('other ways to sign in are unticked for a customer who has forgotten a password', async () => {
    start(methods);
    expect(await readTicks()).toEqual([false, false, false, false]);
  });

  test('other ways to sign in are ticked for a customer who did not change the account', async () => {
    start(methods, answeringPort({}), { notme: '1' });
    expect(await readTicks()).toEqual([true, true, true, true]);
  });

  test('an account without other ways to sign in has no list of them', async () => {
    start([], answeringPort({}), { notme: '1' });
    await screen.findByLabelText('New password');
    expect(screen.queryByRole('group')).toBeNull();
    expect(screen.queryAllByRole('checkbox')).toEqual([]);
  });

  test('the ticked ways to sign in are sent and counted as removed', async () => {
    const forms: (ResetForm | null)[] = [];
    const container = start(
      methods,
      requestPort(async ({ input }) => {
        forms.push(input.pii.form);
        return {};
      }),
      { notme: '1' },
    );
    const user = await typeTwice();
    await user.click(screen.getByRole('checkbox', { name: /Lamplight/ }));
    await user.click(screen.getByRole('checkbox', { name: /with a phone number/ }));
    await user.click(findPressable(container, 'password.submitted'));
    await waitFor(() => expect(readState(container, 'resetPassword')).toBe('saved'));
    const removed = [
      { kind: 'passkey', id: 'p1' },
      { kind: 'device', id: 'd1' },
    ];
    expect(forms).toEqual([{ password: 'lamp and oil', again: 'lamp and oil', removed }]);
    expect(screen.getByText('The 2 items you ticked have been removed.')).toBeDefined();
  });

  test('ways to sign in that are always removed count as removed', async () => {
    const forcedMethods = [
      makeMethod({ goesAnyway: true }),
      makeMethod({ kind: 'phone', id: 't1', name: '+44', goesAnyway: true }),
      ...methods.slice(1),
    ];
    const container = start(forcedMethods);
    const user = await typeTwice();
    await user.click(screen.getByRole('checkbox', { name: /Lamplight/ }));
    await user.click(findPressable(container, 'password.submitted'));
    await waitFor(() => expect(readState(container, 'resetPassword')).toBe('saved'));
    expect(screen.getByText('The 3 items you ticked have been removed.')).toBeDefined();
  });

  test('ways to sign in that are always removed are ticked, cannot be unticked, and say why', async () => {
    start([makeMethod({ goesAnyway: true })]);
    const tick = await screen.findByRole<HTMLInputElement>('checkbox', { name: /Laptop/ });
    expect([tick.checked, tick.disabled]).toEqual([true, true]);
    expect(screen.getByText(/because your email address hadn’t been confirmed before/)).toBeDefined();
  });
});

test.each([
  ['common_password', /Many people use this password/],
  ['simple_password', /This password follows a simple pattern/],
  ['password_is_email', /This password is your email address/],
  ['password_is_shop', /This password is the name of this shop/],
])('a new password refused as %s shows the reason, and stays as typed', async (code, expectedText) => {
  const container = start(methods, rejectingPort({ kind: 'refused', code, message: 'No.' }));
  const user = await typeTwice();
  await user.click(screen.getByRole('checkbox', { name: /Laptop/ }));
  await user.click(findPressable(container, 'password.submitted'));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(expectedText));
  expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('lamp and oil');
  expect(await readTicks()).toEqual([true, false, false, false]);
});

test('an expired link offers a customer who did not change the account another such link', async () => {
  const machine = resetPasswordMachine.provide({ actors: { checkLink: answeringPort(false) } });
  const { actor } = startUnderShop(machine, inputWithQuery({ notme: '1' }));
  renderInShop(<ResetPasswordView actor={actor} />, '/resetpassword/x');
  expect((await screen.findByText('Get a new link')).closest('a')?.getAttribute('href')).toBe('/forgotpassword?notme=1');
});
