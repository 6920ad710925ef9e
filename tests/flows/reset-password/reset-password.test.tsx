import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { resetPasswordMachine } from '../../../machines/account/reset-password.ts';
import type { FlowInput } from '../../../machines/flows/flow-input.ts';
import type { ResetForm, ResetWay } from '../../../machines/model/account/reset.ts';
import { requestPort } from '../../../machines/ports.ts';
import { ResetPasswordView } from '../../../src/flows/reset-password/ResetPasswordView.tsx';
import { answers, flowInput, rejects, underShop, type Port } from '../../support/views/flow.ts';
import { pressable, show, stateOf } from '../../support/views/show.tsx';

type Save = Port<object, { pii: { form: ResetForm | null } }>;

const way = (part: Partial<ResetWay>): ResetWay => ({
  kind: 'passkey',
  id: 'p1',
  name: 'Laptop',
  usedAt: '',
  goesAnyway: false,
  ...part,
});
const ways = [
  way({}),
  way({ kind: 'provider', id: 'sso', name: 'Lamplight' }),
  way({ kind: 'phone', id: 'phone', name: 'Phone' }),
  way({ kind: 'device', id: 'd1', name: 'Chrome, Linux', usedAt: '2026-01-02T00:00:00.000Z' }),
];
const labels = [/Passkey “Laptop”/, /Sign-in with Lamplight/, /Sign-in by phone/, /Device: Chrome, Linux/];

const inputAt = (query: Record<string, string>): FlowInput => {
  const input = flowInput();
  return { ...input, route: { ...input.route, query } };
};

const start = (loaded: ResetWay[], savePassword: Save = answers({}), query: Record<string, string> = {}) => {
  const machine = resetPasswordMachine.provide({ actors: { checkLink: answers(true), loadWays: answers(loaded), savePassword } });
  const { actor } = underShop(machine, inputAt(query));
  return show(<ResetPasswordView actor={actor} />, '/resetpassword/x');
};

const ticks = async () =>
  Promise.all(labels.map(async (name) => (await screen.findByRole<HTMLInputElement>('checkbox', { name })).checked));

const typeTwice = async () => {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('New password'), 'lamp and oil');
  await user.type(screen.getByLabelText('New password, once more'), 'lamp and oil');
  return user;
};

describe('the other ways into an account', () => {
  test('are listed unticked for a customer who has forgotten a password', async () => {
    start(ways);
    expect(await ticks()).toEqual([false, false, false, false]);
  });

  test('are ticked for a customer who did not change the account', async () => {
    start(ways, answers({}), { notme: '1' });
    expect(await ticks()).toEqual([true, true, true, true]);
  });

  test('have no list where none exist', async () => {
    start([], answers({}), { notme: '1' });
    await screen.findByLabelText('New password');
    expect(screen.queryByRole('group')).toBeNull();
    expect(screen.queryAllByRole('checkbox')).toEqual([]);
  });

  test('are sent as they are ticked, and what went is counted', async () => {
    const forms: (ResetForm | null)[] = [];
    const container = start(
      ways,
      requestPort(async ({ input }) => {
        forms.push(input.pii.form);
        return {};
      }),
      { notme: '1' },
    );
    const user = await typeTwice();
    await user.click(screen.getByRole('checkbox', { name: /Lamplight/ }));
    await user.click(screen.getByRole('checkbox', { name: /by phone/ }));
    await user.click(pressable(container, 'password.submitted'));
    await waitFor(() => expect(stateOf(container, 'resetPassword')).toBe('saved'));
    const removed = [
      { kind: 'passkey', id: 'p1' },
      { kind: 'device', id: 'd1' },
    ];
    expect(forms).toEqual([{ password: 'lamp and oil', again: 'lamp and oil', removed }]);
    expect(screen.getByText('The 2 items you ticked have been removed.')).toBeDefined();
  });

  test('that go in any case count as removed', async () => {
    const inAnyCase = [
      way({ goesAnyway: true }),
      way({ kind: 'phone', id: 't1', name: '+44', goesAnyway: true }),
      ...ways.slice(1),
    ];
    const container = start(inAnyCase);
    const user = await typeTwice();
    await user.click(screen.getByRole('checkbox', { name: /Lamplight/ }));
    await user.click(pressable(container, 'password.submitted'));
    await waitFor(() => expect(stateOf(container, 'resetPassword')).toBe('saved'));
    expect(screen.getByText('The 3 items you ticked have been removed.')).toBeDefined();
  });

  test('that go in any case are ticked, cannot be unticked, and say why', async () => {
    start([way({ goesAnyway: true })]);
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
])('a new password that is refused as %s says why, and stays as typed', async (code, text) => {
  const container = start(ways, rejects({ kind: 'refused', code, message: 'No.' }));
  const user = await typeTwice();
  await user.click(screen.getByRole('checkbox', { name: /Laptop/ }));
  await user.click(pressable(container, 'password.submitted'));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(text));
  expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('lamp and oil');
  expect(await ticks()).toEqual([true, false, false, false]);
});

test('a link that is over leads a customer who did not change the account to another such link', async () => {
  const machine = resetPasswordMachine.provide({ actors: { checkLink: answers(false) } });
  const { actor } = underShop(machine, inputAt({ notme: '1' }));
  show(<ResetPasswordView actor={actor} />, '/resetpassword/x');
  expect((await screen.findByText('Get a new link')).closest('a')?.getAttribute('href')).toBe('/forgotpassword?notme=1');
});
