import { expect, test } from 'vitest';
import { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { createFlowInput, summary } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext } from '../../support/steps.ts';

const about = { total: 500, meant: null, categoryName: null, categoryId: null, scrollY: 0 };
const summaryWith = (id: string) => ({ ...summary, id });
const titlesArrived = (from: number, ...ids: string[]) => ({
  type: 'titles.arrived',
  from,
  titles: ids.map(summaryWith),
  count: from + ids.length,
  about,
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
])('a list with a name from the store is requested again in another language: %j is %s', (params, state) => {
  const events = [titlesArrived(0, '1'), { type: 'language.changed' }];
  const { snapshot } = stepThrough(catalogueMachine, createFlowInput({ flow: 'catalogue', params }), ...events);
  expect(snapshot.matches(state)).toBe(true);
});
