import type { ContextFrom } from 'xstate';
import type { notFoundMachine } from '../../../machines/browsing/static-pages.ts';
import type { PageName } from '../../views/page-name.ts';
import { msg } from '@lingui/core/macro';

export { notFoundMachine as flow } from '../../../machines/browsing/static-pages.ts';
export { NotFoundView as Screens } from './NotFoundView.tsx';

/** The registry has no page name for an unknown path; those of /404 and /500 are used (null). */
export const pageName: PageName<ContextFrom<typeof notFoundMachine>> = ({ params }) =>
  params['page'] === undefined ? msg`Page not found` : null;
