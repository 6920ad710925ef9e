import { msg } from '@lingui/core/macro';
import type { PageName } from '../views/page-name.ts';

export { notFoundMachine as flow } from '../../machines/still.ts';
export { NotFoundView as Screens } from '../views/not-found/NotFoundView.tsx';

export const pageName: PageName<unknown> = () => msg`Page not found`;
