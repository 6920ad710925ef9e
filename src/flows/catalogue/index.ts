import { msg } from '@lingui/core/macro';
import type { ContextFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { findRouteName } from '../../../machines/flows/routes.ts';
import type { PageName } from '../../views/page-name.ts';

export { flow } from './ports.ts';
export { CatalogueView as Screens } from './CatalogueView.tsx';

export const pageName: PageName<ContextFrom<typeof catalogueMachine>> = ({ page, query, route }, { listTexts }, state) => {
  const mayBeTitle = query.of.kind === 'category' && query.of.titleBy !== null;
  if (state === 'notFound')
    return mayBeTitle ? msg`We couldn’t find that title or category` : msg`We couldn’t find that category`;
  if (state === 'failed') return msg`We couldn’t load the titles`;
  const { search, author, series, of, type } = query;
  if (search !== '') return msg`Results for “${search}”`;
  const isWholeCatalogue = of.kind === 'all' && type === 'all';
  // The registry names this list by its path.
  if (isWholeCatalogue && findRouteName(route.path) !== undefined) return null;
  if (isWholeCatalogue && author !== '') return msg`Titles by ${author}`;
  if (isWholeCatalogue && series !== '') return series;
  const plan = query.plan === '' ? null : (page?.categoryName ?? null);
  if (isWholeCatalogue && plan !== null) return msg`Included in ${plan}`;
  return page?.categoryName ?? listTexts[type];
};
