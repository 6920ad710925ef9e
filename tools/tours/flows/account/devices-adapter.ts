import type { devicesMachine } from '../../../../machines/account/devices.ts';
import type { Device } from '../../../../machines/model/account/device.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { isDoneEvent, toXmlResponse } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';

const headings: Headings<typeof devicesMachine> = {
  loading: 'Devices',
  shown: 'Devices',
  removing: 'Devices',
  failed: 'We couldn’t load your devices',
};

const renderDevice = ({ id, name, lastSeenAt, isSignedOut }: Device) =>
  renderElement('Device', [
    renderFields({ DeviceId: id, Name: name, RegisteredAt: lastSeenAt, LastSeenAt: lastSeenAt, SignedIn: isSignedOut !== true }),
  ]);

export const adapter: BrowserAdapter = {
  name: 'devices',
  models: models.filter(({ name }) => name === 'devices'),
  getStartPath: () => '/account',
  startsSignedIn: () => true,
  headings,
  // The current device has no Remove button.
  isPossible: (_, event) => event.type !== 'remove.pressed' || event['deviceId'] !== 'd1',
  prepare: async (walk) => {
    await (await walk.getCustomer()).signInOnDevice('another browser');
    return undefined;
  },
  ports: {
    loadDevices: {
      matches: ({ pathname }) => pathname.endsWith('/user/devices'),
      toResponse: (devices: Device[]) => toXmlResponse(renderElement('Devices', devices.map(renderDevice))),
      isEquivalent: (_devices: Device[], body) => body.includes('another browser'),
    },
    removeDevice: {
      matches: ({ pathname }) => pathname.endsWith('/user/devices/deregister'),
      toResponse: () => toXmlResponse(renderElement('Result', [renderFields({ Status: 'Ok' })])),
      serverWillAnswer: isDoneEvent,
    },
  },
};
