import { msg } from '@lingui/core/macro';
import type { PageName } from '../../views/page-name.ts';

export { flow } from './ports.ts';
export { ReceiptView as Screens } from './ReceiptView.tsx';

export const pageName: PageName<unknown> = (_, __, state) => {
  if (state === 'notFound') return msg`We could not find this receipt`;
  return state === 'failed' ? msg`Your receipt could not be shown` : null;
};
