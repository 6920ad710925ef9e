import { accountMachine } from '../../../machines/account/account.ts';
import type { PurchaseRecord } from '../../../machines/model/purchase.ts';
import { requestPort } from '../../../machines/ports.ts';
import { purchaseRecords } from '../../client/library.ts';
import { api } from '../../client/open-client.ts';

export const flow = accountMachine.provide({
  actors: {
    purchaseRecords: requestPort<PurchaseRecord[]>(async ({ signal }) => purchaseRecords(await api(), signal)),
  },
});
