import { msg } from '@lingui/core/macro';
import type { ContextFrom } from 'xstate';
import type { notFoundMachine } from '../../machines/still.ts';
import type { PageName } from '../views/page-name.ts';

export { notFoundMachine as flow } from '../../machines/still.ts';
export { NotFoundView as Screens } from '../views/not-found/NotFoundView.tsx';

export const pageName: PageName<ContextFrom<typeof notFoundMachine>> = ({ params }) =>
  params['page'] === '500' ? msg`Internal Server Error` : msg`Page not found`;
