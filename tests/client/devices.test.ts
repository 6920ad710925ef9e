import { expect, test } from 'vitest';
import { fetchDevices } from '../../src/client/account/devices.ts';
import { createFakeServer, xml } from '../support/client/fake-environment.ts';

const deviceXml = (id: string, moreXml = '') =>
  `<Device><DeviceId>${id}</DeviceId><Name>Browser ${id}</Name><RegisteredAt>2026-01-01T00:00:00Z</RegisteredAt>${moreXml}</Device>`;

test('this device comes first; a device counts as signed in unless the server says otherwise', async () => {
  const signedInXml = (isSignedIn: boolean) => `<SignedIn>${isSignedIn}</SignedIn>`;
  const { api } = createFakeServer([
    xml(
      `<Devices>${deviceXml('a', signedInXml(false))}${deviceXml('b', signedInXml(true))}${deviceXml('c')}${deviceXml('this')}</Devices>`,
    ),
  ]);
  const devices = await fetchDevices(api, 'this', new AbortController().signal);
  expect(devices.map(({ id, isThis, isSignedOut }) => [id, isThis, isSignedOut])).toEqual([
    ['this', true, undefined],
    ['a', false, true],
    ['b', false, undefined],
    ['c', false, undefined],
  ]);
});
