import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { devicesMachine } from '../../../machines/account/devices.ts';
import type { Device } from '../../../machines/model/account/device.ts';
import { Devices } from '../../../src/flows/account/Devices.tsx';
import { answers, rejects, underShop, type Port } from '../../support/views/flow.ts';
import { show, stateOf } from '../../support/views/show.tsx';

const devices: Device[] = [
  { id: 'd1', name: 'Chrome, Linux', lastSeenAt: '2026-11-20T08:00:00Z', isThis: true },
  { id: 'd2', name: 'Safari, iPhone', lastSeenAt: '2026-11-19T08:00:00Z', isThis: false },
];
const known: Device = { id: 'd3', name: 'Edg, Windows', lastSeenAt: '2026-11-18T08:00:00Z', isThis: false, isSignedOut: true };

const start = (removeDevice: Port<object, { deviceId: string }>, all = devices) => {
  const machine = devicesMachine.provide({ actors: { loadDevices: answers(all), removeDevice } });
  const { actor } = underShop(machine, undefined);
  return show(<Devices actor={actor} />);
};

const lines = () => screen.getAllByRole('listitem');

test('each device has its name and its day; this one says so and has no button', async () => {
  start(answers({}));
  await waitFor(() => expect(lines()).toHaveLength(2));
  const [here, there] = lines().map(({ textContent }) => textContent);
  expect(here).toBe('Chrome, LinuxThis device');
  // Two devices may be of one kind, and of one day.
  expect(there).toMatch(/^Safari, iPhoneSigned in November (18|19|20), 2026 at \d+:00\s[AP]MSign out$/);
  expect(within(lines()[0] as HTMLElement).queryByRole('button')).toBeNull();
});

test('a device that is signed out goes, and a screen reader hears of it', async () => {
  const container = start(answers({}));
  const button = await screen.findByRole('button', { name: 'Sign out of Safari, iPhone' });
  const status = screen.getByRole('status');
  await userEvent.click(button);
  await waitFor(() => expect(lines()).toHaveLength(1));
  expect(status.textContent).toBe('Signed out of Safari, iPhone.');
  expect(stateOf(container, 'devices')).toBe('shown');
});

test('a device that the account knows, without a session, is forgotten', async () => {
  start(answers({}), [...devices, known]);
  const button = await screen.findByRole('button', { name: 'Forget Edg, Windows' });
  expect(lines()[2]?.textContent).toMatch(/^Edg, WindowsLast signed in November (17|18|19), 2026 at \d+:00\s[AP]MForget$/);
  await userEvent.click(button);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Edg, Windows has been forgotten.'));
  expect(lines()).toHaveLength(2);
});

test('one that could not be signed out stays, and the reason is said', async () => {
  start(rejects({ kind: 'offline' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out of Safari, iPhone' }));
  await screen.findByRole('alert');
  expect(lines()).toHaveLength(2);
});
