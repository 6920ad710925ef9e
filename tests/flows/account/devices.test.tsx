import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { devicesMachine } from '../../../machines/account/devices.ts';
import type { Device } from '../../../machines/model/account/device.ts';
import { Devices } from '../../../src/flows/account/Devices.tsx';
import { answeringPort, rejectingPort, startUnderShop, type Port } from '../../support/views/flow.ts';
import { renderInShop, readState } from '../../support/views/show.tsx';

const devices: Device[] = [
  { id: 'd1', name: 'Chrome, Linux', lastSeenAt: '2026-11-20T08:00:00Z', isThis: true },
  { id: 'd2', name: 'Safari, iPhone', lastSeenAt: '2026-11-19T08:00:00Z', isThis: false },
];
const signedOutDevice: Device = {
  id: 'd3',
  name: 'Edg, Windows',
  lastSeenAt: '2026-11-18T08:00:00Z',
  isThis: false,
  isSignedOut: true,
};

const start = (removeDevice: Port<object, { deviceId: string }>, listedDevices = devices) => {
  const machine = devicesMachine.provide({ actors: { loadDevices: answeringPort(listedDevices), removeDevice } });
  const { actor } = startUnderShop(machine, undefined);
  return renderInShop(<Devices actor={actor} />);
};

const listItems = () => screen.getAllByRole('listitem');

test('another device shows its name and its date; the current device shows its name and a mark, and has no button', async () => {
  start(answeringPort({}));
  await waitFor(() => expect(listItems()).toHaveLength(2));
  const [thisDeviceText, otherDeviceText] = listItems().map(({ textContent }) => textContent);
  expect(thisDeviceText).toBe('Chrome, LinuxThis device');
  // The time tells two devices of the same kind and the same day apart.
  expect(otherDeviceText).toMatch(/^Safari, iPhoneSigned in (18|19|20) November 2026 at \d\d:00Sign out$/);
  expect(within(listItems()[0] as HTMLElement).queryByRole('button')).toBeNull();
});

test('a signed-out device disappears, and this is announced', async () => {
  const container = start(answeringPort({}));
  const button = await screen.findByRole('button', { name: 'Sign out of Safari, iPhone' });
  const status = screen.getByRole('status');
  await userEvent.click(button);
  await waitFor(() => expect(listItems()).toHaveLength(1));
  expect(status.textContent).toBe('Signed out of Safari, iPhone.');
  expect(readState(container, 'devices')).toBe('shown');
});

test('a device without a session can be removed', async () => {
  start(answeringPort({}), [...devices, signedOutDevice]);
  const button = await screen.findByRole('button', { name: 'Forget Edg, Windows' });
  expect(listItems()[2]?.textContent).toMatch(/^Edg, WindowsLast signed in (17|18|19) November 2026 at \d\d:00Forget$/);
  await userEvent.click(button);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Edg, Windows has been forgotten.'));
  expect(listItems()).toHaveLength(2);
});

test('a device that could not be signed out stays, and the reason is shown', async () => {
  start(rejectingPort({ kind: 'offline' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out of Safari, iPhone' }));
  await screen.findByRole('alert');
  expect(listItems()).toHaveLength(2);
});
