import type { Receipt } from '../../../machines/model/purchase.ts';
import { requestPort } from '../../../machines/ports.ts';
import { receiptMachine } from '../../../machines/buying/receipt.ts';
import { purchaseInfo } from './calls.ts';
import { api } from '../../client/open-client.ts';

export const flow = receiptMachine.provide({
  actors: {
    purchaseInfo: requestPort<Receipt, { transId: string }>(async ({ input, signal }) =>
      purchaseInfo(await api(), input.transId, signal),
    ),
  },
});
