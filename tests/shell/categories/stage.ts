import type { Category } from '../../../machines/model/title.ts';
import { element, fields } from '../../../server/xml/write.ts';
import { askForProperties } from '../../e2e/pages/wire.ts';
import type { Stage } from '../../e2e/tours/stage.ts';
import { xml } from '../../e2e/tours/wires.ts';
import { models } from './paths.ts';

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
      asks: ({ pathname }) => pathname.endsWith('/api/categories'),
      answer: (all: Category[]) =>
        xml(
          element(
            'Categories',
            all.map(({ id, name }) => element('Category', [fields({ Id: id, Name: name })])),
          ),
        ),
      says: (all: Category[], body) => all.length > 0 === body.includes('<Category>'),
    },
  },
};
