import type { Route } from '../../../../machines/flows/route.ts';
import type { Category } from '../../../../machines/model/catalogue/title.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { forcePropertiesRequest } from '../../../browser/wire.ts';
import { goBackTo } from '../../causes.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { toXmlResponse } from '../../wires.ts';
import { models } from '../../../../machines/path-models/shell/categories/paths.ts';

const toCategoriesXml = (categories: readonly Category[]) =>
  toXmlResponse(
    renderElement(
      'Categories',
      categories.map(({ id, name, parentId }) =>
        renderElement('Category', [renderFields({ Id: id, Name: name, ParentId: parentId ?? undefined })]),
      ),
    ),
  );

const flattenCategories = (tree: readonly Category[]): Category[] =>
  tree.flatMap((category) => [category, ...flattenCategories(category.children)]);

export const adapter: BrowserAdapter = {
  name: 'categories',
  models,
  getStartPath: () => '/all',
  prepare: async ({ page }) => {
    await forcePropertiesRequest(page);
    return undefined;
  },
  ports: {
    categoryTree: {
      matches: ({ pathname, searchParams }) => pathname.endsWith('/api/categories') && !searchParams.has('categoryid'),
      toResponse: (tree: Category[]) => toCategoriesXml(flattenCategories(tree)),
    },
    treeAround: {
      matches: ({ pathname, searchParams }) => pathname.endsWith('/api/categories') && searchParams.has('categoryid'),
      toResponse: (tree: Category[]) => toCategoriesXml(tree.flatMap(({ children }) => children)),
    },
  },
  causes: { 'location.changed': ({ page }, { route }) => goBackTo(page, (route as Route).path) },
};
