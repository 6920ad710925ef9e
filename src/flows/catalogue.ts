import type { ContextFrom } from 'xstate';
import type { catalogueMachine } from '../../machines/catalogue.ts';
import type { PageName } from '../views/page-name.ts';

export { flow } from '../ports/catalogue.ts';
export { CatalogueView as Screens } from '../views/catalogue/CatalogueView.tsx';

export const pageName: PageName<ContextFrom<typeof catalogueMachine>> = ({ page, query }, { listTexts }) =>
  page?.categoryName ?? listTexts[query.type];
