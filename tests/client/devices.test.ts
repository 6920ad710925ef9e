import { expect, test } from 'vitest';
import { fetchDevices } from '../../src/client/account/devices.ts';
import { environment, xml } from '../support/client/fake-environment.ts';

const device = (id: string, more = '') =>
  `<Device><DeviceId>${id}</DeviceId><Name>Browser ${id}</Name><RegisteredAt>2026-01-01T00:00:00Z</RegisteredAt>${more}</Device>`;

test('this device comes first; a device counts as signed in unless the server says otherwise', async () => {
  const signedIn = (is: boolean) => `<SignedIn>${is}</SignedIn>`;
  const { api } = environment([
    xml(`<Devices>${device('a', signedIn(false))}${device('b', signedIn(true))}${device('c')}${device('this')}</Devices>`),
  ]);
  const devices = await fetchDevices(api, 'this', new AbortController().signal);
  expect(devices.map(({ id, isThis, isSignedOut }) => [id, isThis, isSignedOut])).toEqual([
    ['this', true, undefined],
    ['a', false, true],
    ['b', false, undefined],
    ['c', false, undefined],
  ]);
});
