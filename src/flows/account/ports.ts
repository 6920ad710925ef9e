import { accountMachine } from '../../../machines/account/account.ts';
import { deletionMachine } from '../../../machines/account/deletion.ts';
import { devicesMachine } from '../../../machines/account/devices.ts';
import type { Device } from '../../../machines/model/device.ts';
import type { OwnPasswordForm } from '../../../machines/model/password.ts';
import type { PurchaseRecord } from '../../../machines/model/purchase.ts';
import { requestPort } from '../../../machines/ports.ts';
import { signIn } from '../../client/account.ts';
import { deleteAccount } from '../../client/delete-account.ts';
import { deregisterDevice, userDevices } from '../../client/devices.ts';
import { purchaseRecords } from '../../client/library.ts';
import { api } from '../../client/open-client.ts';
import { requireForm, thisDevice } from '../../client/start-session.ts';
import { clearSession, storedCustomer } from '../../storage/session-storage.ts';

export const flow = accountMachine.provide({
  actors: {
    purchaseRecords: requestPort<PurchaseRecord[]>(async ({ signal }) => purchaseRecords(await api(), signal)),
    deletion: deletionMachine.provide({
      actors: {
        deleteAccount: requestPort<object, { pii: { form: OwnPasswordForm | null } }>(async ({ input, signal }) => {
          const { password } = requireForm(input.pii.form);
          const email = storedCustomer()?.pii.email ?? '';
          const shop = await api();
          const { token } = await signIn(shop, { email, password }, thisDevice());
          signal.throwIfAborted();
          await deleteAccount(shop, token, signal);
          // Other tabs hear of it, too.
          clearSession();
          return {};
        }),
      },
    }),
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
