import { expect } from '@playwright/test';
import type { Facets, ListQuery } from '../../../../machines/model/catalogue/list.ts';
import { titleTypeCodes } from '../../../../machines/model/catalogue/title.ts';
import { createFlowInput, store, titleSummary } from '../../../../machines/path-models/path-model.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { stubStore } from '../../store.ts';
import { toJsonResponse } from '../../wires.ts';
import { endList, holdLists, sendTitles } from './list-responses.ts';
import { models } from '../../../../machines/path-models/flows/catalogue/paths.ts';

type Input = { query: ListQuery; shown: boolean };

const toFacetsJson = ({ total, currency, kinds, categories, languages, free, prices }: Facets) => ({
  Total: total,
  Currency: currency,
  Kinds: kinds.map(({ kind, count }) => ({ TitleType: titleTypeCodes[kind], Count: count })),
  Categories: categories.map(({ id, count }) => ({ Id: id, Count: count })),
  Languages: languages.map(({ language, count }) => ({ Language: language, Count: count })),
  Free: free,
  Prices: prices.map(({ from, to, count }) => ({ From: from, To: to, Count: count })),
});

/**
 * The filters of a list, and its announcements; the list's response is held, so that the walk
 * decides when it arrives.
 */
export const adapter: BrowserAdapter = {
  name: 'facets',
  models: models
    .filter(({ name }) => name === 'facets')
    .map((model) => ({ ...model, cases: { ...model.cases, 'list.counted': [{ total: 24 }] } })),
  getStartPath: () => '/all',
  prepare: async ({ page }, { input }) => {
    await holdLists(page);
    await stubStore(page, createFlowInput({}, { store: { ...store, hideFilters: !(input as Input).shown } }));
    return undefined;
  },
  // The screen announces the number of titles once for each list.
  isPossible: ({ value }, { type }) => type !== 'list.counted' || (value as { announcement: string }).announcement === 'quiet',
  checkState: async ({ flow }, { value }) => expect(flow).toHaveAttribute('data-state', JSON.stringify(value)),
  ports: {
    facets: {
      matches: ({ pathname }) => pathname.endsWith('/titles/facets'),
      toResponse: (output: Facets) => toJsonResponse(toFacetsJson(output)),
      isEquivalent: () => true,
    },
  },
  causes: {
    // Like Back and Forward; each sort order has its own URL of the list.
    'list.requested': ({ page }) =>
      page.evaluate(() => {
        history.pushState(null, '', location.search === '' ? '/all?sort=title' : '/all');
        dispatchEvent(new PopStateEvent('popstate'));
      }),
    'list.counted': async ({ page, recordInjection }, event) => {
      recordInjection('a list');
      await sendTitles(page, [titleSummary], Number(event['total']));
      await endList(page, Number(event['total']), null);
    },
  },
};
