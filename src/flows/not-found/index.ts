import type { ContextFrom } from 'xstate';
import type { notFoundMachine } from '../../../machines/browsing/static-pages.ts';
import type { PageName } from '../../views/page-name.ts';
import { msg } from '@lingui/core/macro';

export { notFoundMachine as flow } from '../../../machines/browsing/static-pages.ts';
export { NotFoundView as Screens } from './NotFoundView.tsx';

/** Unknown addresses have no name of their own in the registry. */
export const pageName: PageName<ContextFrom<typeof notFoundMachine>> = ({ params }) =>
  params['page'] === undefined ? msg`Page not found` : null;
