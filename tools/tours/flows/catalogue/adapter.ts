import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { catalogueMachine } from '../../../../machines/browsing/catalogue.ts';
import type { TitleList } from '../../../../machines/browsing/catalogue-setup.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { ListQuery } from '../../../../machines/model/catalogue/list.ts';
import type { Problem } from '../../../../machines/model/problem.ts';
import { models as allModels } from '../../../../machines/path-models/flows/catalogue/paths.ts';
import { createFlowInput, problems, titleSummary, type PathModel } from '../../../../machines/path-models/path-model.ts';
import type { GetReaction } from '../../in-shop.ts';
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
  redirecting: null,
};

const catalogueModels = allModels.filter(({ name }) => name === 'catalogue');

/**
 * `LOADED_COUNT` titles have loaded of a list of `TOTAL_COUNT`: enough that the end of the list is
 * far below the first screen. The first `FIRST_COUNT` titles are in the first event, without
 * scrolling.
 */
const [LOADED_COUNT, FIRST_COUNT, TOTAL_COUNT] = [200, 120, 500];
const titles = Array.from({ length: LOADED_COUNT }, (_, index) => ({
  ...titleSummary,
  id: `${2000 + index}`,
  name: `Volume ${index + 1}`,
}));
const about = { total: TOTAL_COUNT, meant: null, categoryName: null, categoryId: null, scrollY: 0 };

/** A title of the demo store, which is opened by a path with its name. */
const namedTitle = { ...titleSummary, id: '1020', name: 'The Night Signalman', type: 'audio', medium: 'audio' } as const;

const models: PathModel[] = [
  ...catalogueModels.slice(0, 1).map((model) => ({
    ...model,
    cases: {
      ...model.cases,
      'sort.chosen': [{ sort: 'title' }],
      'titles.loaded': [
        { from: 0, titles: titles.slice(0, FIRST_COUNT), count: LOADED_COUNT, about },
        { from: FIRST_COUNT, titles: [], count: LOADED_COUNT + 1, about },
      ],
      'list.ended': [true, false].map((hasMore) => ({ about, hasMore })),
      // The list of all titles has no "not found": without results it is empty.
      'list.failed': [{ problem: problems.offline }],
      'visibleRange.changed': [{ first: 180, last: 209 }],
    },
  })),
  ...catalogueModels.slice(0, 1).map((model) => ({
    ...model,
    startInstruction: 'Open /audio/the-night-signalman.',
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
  const possibleByType: Record<string, boolean> = {
    // The path changes in the same step as the choice or input.
    'route.changed': false,
    'title.found': false,
    'sort.chosen': snapshot.value !== 'notFound',
    'filter.chosen': snapshot.value !== 'notFound',
    'price.submitted': snapshot.value !== 'notFound',
    'titles.loaded': isLoading ? event['from'] === 0 : event['from'] !== 0 && snapshot.matches({ shown: 'arriving' }),
    'list.failed': isLoading || event['problem'] === problems.offline,
  };
  return possibleByType[event.type] ?? true;
};

/** The list answers `list.requestRange` at once with the titles that have arrived. */
const getReaction: GetReaction = (fact, snapshot, target) => {
  if (target !== 'list') return undefined;
  if (fact.type !== 'list.requestRange') return null;
  const { count } = (snapshot.context as { page: TitleList }).page;
  const [from, end] = [Number(fact['from']), Math.min(count, Number(fact['to']))];
  return { type: 'titles.loaded', from, titles: titles.slice(from, Math.max(from, end)), count, about };
};

const failList = async ({ page, recordInjection }: WalkContext, { problem }: AnyEventObject): Promise<void> => {
  recordInjection(`a list that fails: ${(problem as Problem).kind}`);
  const response = toProblemResponse(problem as Problem);
  return typeof response === 'string' ? breakList(page, 2) : rejectList(page, response.status, response.body);
};

export const adapter: BrowserAdapter = {
  name: 'catalogue',
  models,
  reusesPage: true,
  getStartPath: ({ route }: FlowInput) => route.path,
  headings,
  // Until its first response, the list of a category or of all titles has no name.
  getNestedHeading: (snapshot) =>
    isCategoryList(snapshot) || (getListKind(snapshot) === 'catalog' && snapshot.value === 'loading') ? /^$/ : undefined,
  ports: {},
  isPossible,
  getReaction,
  prepare: async ({ page }) => {
    await holdLists(page);
    // A filter is shown only if it matches titles, so every list gets the same counts.
    const counts = { Total: 3, Currency: 'USD', Languages: ['en', 'fr'].map((language) => ({ Language: language, Count: 3 })) };
    await page.route('**/api/titles/facets**', (route) => route.fulfill({ json: counts }));
    return undefined;
  },
  causes: {
    'language.changed': (walk) => chooseLanguages(walk),
    'titles.loaded': async ({ page, recordInjection }, event) => {
      recordInjection('a chunk of a list');
      await sendTitles(page, event['from'] === 0 ? titles : [{ ...titleSummary, id: '1' }], TOTAL_COUNT);
    },
    'list.ended': async ({ page, recordInjection }, event, { value }) => {
      recordInjection('the end of a list');
      await endList(page, value === 'loading' ? 0 : TOTAL_COUNT, event['hasMore'] === true ? 'next' : null);
    },
    'list.failed': failList,
    'title.found': async ({ page, recordInjection }) => {
      recordInjection('a title by its name');
      await sendTitles(page, [namedTitle], 1);
      await endList(page, 1, null);
    },
    'visibleRange.changed': async ({ page, flow }) => {
      await page.evaluate(() => scrollBy(0, -40));
      // The page grows after its rows have been measured; the list receives the scroll position
      // when it draws.
      await expect(async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        await expect(flow.locator(`[data-place="${LOADED_COUNT - 1}"]`)).toBeVisible({ timeout: 500 });
      }).toPass();
    },
    // A click without scrolling, as by assistive technology: scrolling to the button loads more by
    // itself.
    'more.requested': ({ flow }) => flow.locator('[data-event="more.requested"]').dispatchEvent('click'),
    'filter.chosen': ({ flow }) => flow.getByRole('checkbox', { name: /French/ }).click(),
    'price.submitted': async ({ flow }, event) => {
      await flow.locator('[name="pricefrom"]').fill(String(event['from']));
      await flow.locator('[name="priceto"]').fill(String(event['to']));
      await flow.locator('[data-event="price.submitted"] button').click();
    },
  },
};
