import { accountMachine } from '../../machines/account.ts';
import type { PurchaseRecord } from '../../machines/model/purchase.ts';
import { requestPort } from '../../machines/ports.ts';
import { purchaseRecords } from '../api/library.ts';
import { api } from './api.ts';

export const flow = accountMachine.provide({
  actors: {
    purchaseRecords: requestPort<PurchaseRecord[]>(async ({ signal }) => purchaseRecords(await api(), signal)),
  },
});
