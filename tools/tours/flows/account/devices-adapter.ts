import type { devicesMachine } from '../../../../machines/account/devices.ts';
import type { Device } from '../../../../machines/model/account/device.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { isDoneEvent, xml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';

const headings: Headings<typeof devicesMachine> = {
  loading: 'Devices',
  shown: 'Devices',
  removing: 'Devices',
  failed: 'We couldn’t load your devices',
};

const deviceElement = ({ id, name, lastSeenAt, isSignedOut }: Device) =>
  renderElement('Device', [
    renderFields({ DeviceId: id, Name: name, RegisteredAt: lastSeenAt, LastSeenAt: lastSeenAt, SignedIn: isSignedOut !== true }),
  ]);

export const adapter: BrowserAdapter = {
  name: 'devices',
  models: models.filter(({ name }) => name === 'devices'),
  address: () => '/account',
  startsSignedIn: () => true,
  headings,
  // The current device has no Remove button.
  isPossible: (_, event) => event.type !== 'remove.pressed' || event['deviceId'] !== 'd1',
  prepares: async (world) => {
    await (await world.customer()).signInOnDevice('another browser');
    return undefined;
  },
  ports: {
    loadDevices: {
      asks: ({ pathname }) => pathname.endsWith('/user/devices'),
      answer: (devices: Device[]) => xml(renderElement('Devices', devices.map(deviceElement))),
      says: (_devices: Device[], body) => body.includes('another browser'),
    },
    removeDevice: {
      asks: ({ pathname }) => pathname.endsWith('/user/devices/deregister'),
      answer: () => xml(renderElement('Result', [renderFields({ Status: 'Ok' })])),
      serverWillAnswer: isDoneEvent,
    },
  },
};
