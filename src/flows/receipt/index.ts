import { msg } from '@lingui/core/macro';
import type { SnapshotFrom } from 'xstate';
import type { receiptMachine } from '../../../machines/buying/receipt.ts';
import type { PageName } from '../../views/page-name.ts';

export { flow } from './ports.ts';
export { ReceiptView as Screens } from './ReceiptView.tsx';

export const pageName: PageName<SnapshotFrom<typeof receiptMachine>['context']> = ({ isOfPlan }, _, state) => {
  if (isOfPlan) return null;
  if (state === 'notFound') return msg`We couldn’t find this receipt`;
  return state === 'failed' ? msg`We couldn’t load your receipt` : null;
};
