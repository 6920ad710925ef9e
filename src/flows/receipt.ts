import { msg } from '@lingui/core/macro';
import type { PageName } from '../views/page-name.ts';

export { flow } from '../ports/receipt.ts';
export { ReceiptView as Screens } from '../views/receipt/ReceiptView.tsx';

export const pageName: PageName<unknown> = () => msg`Thank you`;
