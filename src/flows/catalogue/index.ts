import { msg } from '@lingui/core/macro';
import type { ContextFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import type { PageName } from '../../views/page-name.ts';

export { flow } from './ports.ts';
export { CatalogueView as Screens } from './CatalogueView.tsx';

export const pageName: PageName<ContextFrom<typeof catalogueMachine>> = ({ page, query }, { listTexts }, state) => {
  const mayBeTitle = query.of.kind === 'category' && query.of.titleBy !== null;
  if (state === 'notFound') return mayBeTitle ? msg`There is no such title or category` : msg`There is no such category`;
  return state === 'failed' ? msg`The titles did not come` : (page?.categoryName ?? listTexts[query.type]);
};
