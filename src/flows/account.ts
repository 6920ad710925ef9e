import { msg } from '@lingui/core/macro';
import type { PageName } from '../views/page-name.ts';

export { flow } from '../ports/account.ts';
export { AccountView as Screens } from '../views/account/AccountView.tsx';

export const pageName: PageName<unknown> = () => msg`Account`;
