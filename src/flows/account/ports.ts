import { accountMachine } from '../../../machines/account/account.ts';
import { devicesMachine } from '../../../machines/account/devices.ts';
import type { Device } from '../../../machines/model/device.ts';
import type { PurchaseRecord } from '../../../machines/model/purchase.ts';
import { requestPort } from '../../../machines/ports.ts';
import { deregisterDevice, userDevices } from '../../client/devices.ts';
import { purchaseRecords } from '../../client/library.ts';
import { api } from '../../client/open-client.ts';
import { thisDevice } from '../../client/start-session.ts';

export const flow = accountMachine.provide({
  actors: {
    purchaseRecords: requestPort<PurchaseRecord[]>(async ({ signal }) => purchaseRecords(await api(), signal)),
    devices: devicesMachine.provide({
      actors: {
        loadDevices: requestPort<Device[]>(async ({ signal }) => userDevices(await api(), thisDevice().id, signal)),
        removeDevice: requestPort<object, { deviceId: string }>(async ({ input, signal }) =>
          deregisterDevice(await api(), input.deviceId, signal),
        ),
      },
    }),
  },
});
