import { msg } from '@lingui/core/macro';
import type { ContextFrom } from 'xstate';
import type { contentPageMachine } from '../../../machines/browsing/content-page.ts';
import type { PageName } from '../../views/page-name.ts';

export { flow } from './ports.ts';
export { ContentPageView as Screens } from './ContentPageView.tsx';

export const pageName: PageName<ContextFrom<typeof contentPageMachine>> = ({ page }, _, state) => {
  if (state === 'notFound') return msg`We couldn’t find that page`;
  return state === 'failed' ? msg`We couldn’t load this page` : (page?.name ?? null);
};
