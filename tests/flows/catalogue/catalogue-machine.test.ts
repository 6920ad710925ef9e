import { expect, test } from 'vitest';
import { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { createFlowInput, titleSummary } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext } from '../../support/steps.ts';

const listMetadata = { total: 500, meant: null, categoryName: null, categoryId: null, scrollY: 0 };
const createSummary = (id: string) => ({ ...titleSummary, id });
const titlesArrived = (from: number, ...ids: string[]) => ({
  type: 'titles.loaded',
  from,
  titles: ids.map(createSummary),
  count: from + ids.length,
  about: listMetadata,
});

test('later titles are appended to the existing ones', () => {
  const input = createFlowInput({ flow: 'catalogue', path: '/all', params: { type: 'all' } });
  const { page } = getContext(stepThrough(catalogueMachine, input, titlesArrived(0, '1', '2'), titlesArrived(2, '3'))) as {
    page: { titles: { id: string }[] };
  };
  expect(page.titles.map(({ id }) => id)).toEqual(['1', '2', '3']);
});

test.each([
  [{ catalog: 'c1' }, 'loading'],
  [{ titleset: 's1' }, 'loading'],
  [{ type: 'all' }, 'shown'],
])('a change of language requests a list again only if the store names it: %j is “%s”', (params, state) => {
  const events = [titlesArrived(0, '1'), { type: 'language.changed' }];
  const { snapshot } = stepThrough(catalogueMachine, createFlowInput({ flow: 'catalogue', params }), ...events);
  expect(snapshot.matches(state)).toBe(true);
});
