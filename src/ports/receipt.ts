import type { Receipt } from '../../machines/model/purchase.ts';
import { requestPort } from '../../machines/ports.ts';
import { receiptMachine } from '../../machines/receipt.ts';
import { purchaseInfo } from '../api/checkout.ts';
import { api } from './api.ts';

export const flow = receiptMachine.provide({
  actors: {
    purchaseInfo: requestPort<Receipt, { transId: string }>(async ({ input, signal }) =>
      purchaseInfo(await api(), input.transId, signal),
    ),
  },
});
