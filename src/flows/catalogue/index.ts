import { msg } from '@lingui/core/macro';
import type { ContextFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import type { PageName } from '../../views/page-name.ts';

export { flow } from './ports.ts';
export { CatalogueView as Screens } from './CatalogueView.tsx';

export const pageName: PageName<ContextFrom<typeof catalogueMachine>> = ({ page, query }, { listTexts }, state) => {
  const mayBeTitle = query.of.kind === 'category' && query.of.titleBy !== null;
  if (state === 'notFound')
    return mayBeTitle ? msg`We couldn’t find that title or category` : msg`We couldn’t find that category`;
  if (state === 'failed') return msg`We couldn’t load the titles`;
  const { search } = query;
  return search === '' ? (page?.categoryName ?? listTexts[query.type]) : msg`Results for “${search}”`;
};
