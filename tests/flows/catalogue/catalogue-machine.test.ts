import { expect, test } from 'vitest';
import { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { flowInput, summary } from '../../../machines/path-models/path-model.ts';
import { after, contextOf } from '../../support/steps.ts';

const about = { total: 500, meant: null, categoryName: null, categoryId: null, scrollY: 0 };
const named = (id: string) => ({ ...summary, id });
const came = (from: number, ...ids: string[]) => ({
  type: 'titles.arrived',
  from,
  titles: ids.map(named),
  count: from + ids.length,
  about,
});

test('titles that come later are put after those that stand there', () => {
  const input = flowInput({ flow: 'catalogue', path: '/all', params: { type: 'all' } });
  const { page } = contextOf(after(catalogueMachine, input, came(0, '1', '2'), came(2, '3'))) as {
    page: { titles: { id: string }[] };
  };
  expect(page.titles.map(({ id }) => id)).toEqual(['1', '2', '3']);
});

test.each([
  [{ catalog: 'c1' }, 'loading'],
  [{ titleset: 's1' }, 'loading'],
  [{ type: 'all' }, 'shown'],
])('a list that the store has named is asked for again in another language: %j is %s', (params, state) => {
  const events = [came(0, '1'), { type: 'language.changed' }];
  const { snapshot } = after(catalogueMachine, flowInput({ flow: 'catalogue', params }), ...events);
  expect(snapshot.matches(state)).toBe(true);
});
