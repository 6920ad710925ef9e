import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { catalogueMachine } from '../../../../machines/browsing/catalogue.ts';
import type { TitleList } from '../../../../machines/browsing/catalogue-setup.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { ListQuery } from '../../../../machines/model/catalogue/list.ts';
import type { Problem } from '../../../../machines/model/problem.ts';
import { models as all } from '../../../../machines/path-models/flows/catalogue/paths.ts';
import { createFlowInput, problems, summary, type PathModel } from '../../../../machines/path-models/path-model.ts';
import type { Reacts } from '../../in-shop.ts';
import { chooseLanguages } from '../../causes.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { toProblemResponse } from '../../wires.ts';
import { endList, holdLists, breakList, rejectList, sendTitles } from './list-responses.ts';

const headings: Headings<typeof catalogueMachine> = {
  loading: 'Results for “sea”',
  shown: 'Results for “sea”',
  empty: 'No titles match “sea”',
  notFound: 'We couldn’t find that category',
  failed: 'We couldn’t load the titles',
  leading: null,
};

const catalogueModels = all.filter(({ name }) => name === 'catalogue');

/**
 * Enough titles that the end of the list is far below the first screen; the first ones load by
 * themselves.
 */
const [arriving, given, total] = [200, 120, 500];
const titles = Array.from({ length: arriving }, (_, at) => ({ ...summary, id: `${2000 + at}`, name: `Volume ${at + 1}` }));
const about = { total, meant: null, categoryName: null, categoryId: null, scrollY: 0 };

/** A title of the demo store, at an address with its name. */
const namedTitle = { ...summary, id: '1020', name: 'The Night Signalman', type: 'audio', medium: 'audio' } as const;

const models: PathModel[] = [
  ...catalogueModels.slice(0, 1).map((model) => ({
    ...model,
    cases: {
      ...model.cases,
      'sort.chosen': [{ sort: 'title' }],
      'titles.arrived': [
        { from: 0, titles: titles.slice(0, given), count: arriving, about },
        { from: given, titles: [], count: arriving + 1, about },
      ],
      'list.ended': [true, false].map((hasMore) => ({ about, hasMore })),
      // The list of all titles has no "not found": without results it is empty.
      'list.failed': [{ problem: problems.offline }],
      'places.seen': [{ first: 180, last: 209 }],
    },
  })),
  ...catalogueModels.slice(0, 1).map((model) => ({
    ...model,
    given: 'Open /audio/the-night-signalman.',
    input: createFlowInput({
      flow: 'catalogue',
      path: '/audio/the-night-signalman',
      params: { type: 'audio', category: 'the-night-signalman' },
    }),
    cases: { 'title.found': [{ path: `/id:${namedTitle.id}/the-night-signalman` }] },
  })),
  ...catalogueModels.slice(1).map((model) => ({ ...model, cases: { 'list.failed': [{ problem: problems.notFound }] } })),
];

const getListKind = ({ context }: AnyMachineSnapshot) => (context as { query: ListQuery }).query.of.kind;
const isCategoryList = (snapshot: AnyMachineSnapshot): boolean => getListKind(snapshot) === 'category';

const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  if (isCategoryList(snapshot)) return event.type === 'title.found';
  if (getListKind(snapshot) === 'catalog') return ['list.failed', 'language.changed'].includes(event.type);
  const isLoading = snapshot.value === 'loading';
  const possible: Record<string, boolean> = {
    // The address changes within the step of the choice or input.
    'route.changed': false,
    'title.found': false,
    'sort.chosen': snapshot.value !== 'notFound',
    'filter.chosen': snapshot.value !== 'notFound',
    'price.submitted': snapshot.value !== 'notFound',
    'titles.arrived': isLoading ? event['from'] === 0 : event['from'] !== 0 && snapshot.matches({ shown: 'arriving' }),
    'list.failed': isLoading || event['problem'] === problems.offline,
  };
  return possible[event.type] ?? true;
};

/** The list answers `list.look` at once with the titles that have arrived. */
const reacts: Reacts = (fact, snapshot, to) => {
  if (to !== 'list') return undefined;
  if (fact.type !== 'list.look') return null;
  const { count } = (snapshot.context as { page: TitleList }).page;
  const [from, end] = [Number(fact['from']), Math.min(count, Number(fact['to']))];
  return { type: 'titles.arrived', from, titles: titles.slice(from, Math.max(from, end)), count, about };
};

const failList = async ({ page, injected }: WalkContext, { problem }: AnyEventObject): Promise<void> => {
  injected(`a list that fails: ${(problem as Problem).kind}`);
  const wire = toProblemResponse(problem as Problem);
  return typeof wire === 'string' ? breakList(page, 2) : rejectList(page, wire.status, wire.body);
};

export const adapter: BrowserAdapter = {
  name: 'catalogue',
  models,
  reusesPage: true,
  address: ({ route }: FlowInput) => route.path,
  headings,
  // Until its first response, a list that is not of a type has no name.
  innerHeading: (snapshot) =>
    isCategoryList(snapshot) || (getListKind(snapshot) === 'catalog' && snapshot.value === 'loading') ? /^$/ : undefined,
  ports: {},
  isPossible,
  reacts,
  prepares: async ({ page }) => {
    await holdLists(page);
    // Some of the filters must match titles, for any list.
    const counts = { Total: 3, Currency: 'USD', Languages: ['en', 'fr'].map((each) => ({ Language: each, Count: 3 })) };
    await page.route('**/api/titles/facets**', (route) => route.fulfill({ json: counts }));
    return undefined;
  },
  causes: {
    'language.changed': (world) => chooseLanguages(world),
    'titles.arrived': async ({ page, injected }, event) => {
      injected('a chunk of a list');
      await sendTitles(page, event['from'] === 0 ? titles : [{ ...summary, id: '1' }], total);
    },
    'list.ended': async ({ page, injected }, event, { value }) => {
      injected('the end of a list');
      await endList(page, value === 'loading' ? 0 : total, event['hasMore'] === true ? 'next' : null);
    },
    'list.failed': failList,
    'title.found': async ({ page, injected }) => {
      injected('a title by its name');
      await sendTitles(page, [namedTitle], 1);
      await endList(page, 1, null);
    },
    'places.seen': async ({ page, flow }) => {
      await page.evaluate(() => scrollBy(0, -40));
      // The page grows after its rows have been measured; the list receives the scroll position
      // when it draws.
      await expect(async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        await expect(flow.locator(`[data-place="${arriving - 1}"]`)).toBeVisible({ timeout: 500 });
      }).toPass();
    },
    // Like assistive technology: scrolling there would load more by itself.
    'more.requested': ({ flow }) => flow.locator('[data-event="more.requested"]').dispatchEvent('click'),
    'filter.chosen': ({ flow }) => flow.getByRole('checkbox', { name: /French/ }).click(),
    'price.submitted': async ({ flow }, event) => {
      await flow.locator('[name="pricefrom"]').fill(String(event['from']));
      await flow.locator('[name="priceto"]').fill(String(event['to']));
      await flow.locator('[data-event="price.submitted"] button').click();
    },
  },
};
