import type { Route } from '../../../../machines/flows/route.ts';
import type { Category } from '../../../../machines/model/catalogue/title.ts';
import { element, fields } from '../../../../server/base/xml/write.ts';
import { askForProperties } from '../../../browser/wire.ts';
import { backTo } from '../../causes.ts';
import type { Stage } from '../../stage.ts';
import { xml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/shell/categories/paths.ts';

const list = (all: readonly Category[]) =>
  xml(
    element(
      'Categories',
      all.map(({ id, name, parentId }) => element('Category', [fields({ Id: id, Name: name, ParentId: parentId ?? undefined })])),
    ),
  );

const withThoseBelow = (all: readonly Category[]): Category[] =>
  all.flatMap((category) => [category, ...withThoseBelow(category.children)]);

export const stage: Stage = {
  name: 'categories',
  models,
  address: () => '/all',
  prepares: async ({ page }) => {
    await askForProperties(page);
    return undefined;
  },
  ports: {
    categoryTree: {
      asks: ({ pathname, searchParams }) => pathname.endsWith('/api/categories') && !searchParams.has('categoryid'),
      answer: (all: Category[]) => list(withThoseBelow(all)),
    },
    treeAround: {
      asks: ({ pathname, searchParams }) => pathname.endsWith('/api/categories') && searchParams.has('categoryid'),
      answer: (all: Category[]) => list(all.flatMap(({ children }) => children)),
    },
  },
  causes: { 'location.changed': ({ page }, { route }) => backTo(page, (route as Route).path) },
};
