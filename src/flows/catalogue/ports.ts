import { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import type { ListCommand, ListFact } from '../../../machines/browsing/catalogue-setup.ts';
import { facetsMachine } from '../../../machines/browsing/facets.ts';
import type { Facets, ListQuery } from '../../../machines/model/catalogue/list.ts';
import { channelPort, requestPort } from '../../../machines/ports.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';
import { fetchFacets } from './facets-call.ts';
import { findCategoryId } from './find-list.ts';
import { createListCache } from './list-cache.ts';
import { readList } from './read-list.ts';

/** The port that loads the requested list, with a cache of earlier lists. */
const createListPort = (environment: AppEnvironment): Parameters<typeof channelPort<ListCommand, ListFact>>[0] => {
  const reader = { ...environment, cache: createListCache(environment.token) };
  return ({ sendBack, receive }) => {
    let openList: ReturnType<typeof readList> | null = null;
    const unfollow = environment.scrolling.follow();
    receive((command) => {
      switch (command.type) {
        case 'list.request':
          openList?.stop();
          openList = readList(reader, command.query, sendBack);
          return;
        case 'list.requestRange':
          return openList?.requestRange(command);
        case 'list.loadMore':
          return openList?.loadMore();
      }
    });
    return () => {
      unfollow();
      openList?.stop();
    };
  };
};

export const flow = (environment: AppEnvironment) =>
  catalogueMachine.provide({
    actors: {
      list: channelPort<ListCommand, ListFact>(createListPort(environment), (problem) => ({ type: 'list.failed', problem })),
      facets: facetsMachine.provide({
        actors: {
          facets: requestPort<Facets, { query: ListQuery }>(async ({ input: { query }, signal }) => {
            const categoryId = await findCategoryId(environment, query);
            return fetchFacets(await environment.api(), query, categoryId, signal);
          }),
        },
      }),
    },
  });
