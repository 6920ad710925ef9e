import type { Route } from '../../../../machines/flows/route.ts';
import type { Category } from '../../../../machines/model/catalogue/title.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { forcePropertiesRequest } from '../../../browser/wire.ts';
import { goBackTo } from '../../causes.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { xml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/shell/categories/paths.ts';

const toCategoriesXml = (all: readonly Category[]) =>
  xml(
    renderElement(
      'Categories',
      all.map(({ id, name, parentId }) =>
        renderElement('Category', [renderFields({ Id: id, Name: name, ParentId: parentId ?? undefined })]),
      ),
    ),
  );

const flattenCategories = (all: readonly Category[]): Category[] =>
  all.flatMap((category) => [category, ...flattenCategories(category.children)]);

export const adapter: BrowserAdapter = {
  name: 'categories',
  models,
  address: () => '/all',
  prepares: async ({ page }) => {
    await forcePropertiesRequest(page);
    return undefined;
  },
  ports: {
    categoryTree: {
      asks: ({ pathname, searchParams }) => pathname.endsWith('/api/categories') && !searchParams.has('categoryid'),
      answer: (all: Category[]) => toCategoriesXml(flattenCategories(all)),
    },
    treeAround: {
      asks: ({ pathname, searchParams }) => pathname.endsWith('/api/categories') && searchParams.has('categoryid'),
      answer: (all: Category[]) => toCategoriesXml(all.flatMap(({ children }) => children)),
    },
  },
  causes: { 'location.changed': ({ page }, { route }) => goBackTo(page, (route as Route).path) },
};
