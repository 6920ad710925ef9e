import { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import type { ListCommand, ListFact } from '../../../machines/browsing/catalogue-setup.ts';
import { facetsMachine } from '../../../machines/browsing/facets.ts';
import type { Facets, ListQuery } from '../../../machines/model/catalogue/list.ts';
import { channelPort, requestPort } from '../../../machines/ports.ts';
import type { World } from '../../shell/app/world.ts';
import { facets as facetsOf } from './facets-call.ts';
import { categoryIdOf } from './find-list.ts';
import { listMemory } from './list-memory.ts';
import { readList } from './read-list.ts';

/** Opens the list that is asked for, in a world that remembers the ones before. */
const openListIn = (world: World): Parameters<typeof channelPort<ListCommand, ListFact>>[0] => {
  const reader = { ...world, memory: listMemory(world.token) };
  return ({ sendBack, receive }) => {
    let reading: ReturnType<typeof readList> | null = null;
    const unfollow = world.scrolling.follow();
    receive((command) => {
      switch (command.type) {
        case 'list.ask':
          reading?.stop();
          reading = readList(reader, command.query, sendBack);
          return;
        case 'list.look':
          return reading?.look(command);
        case 'list.goOn':
          return reading?.goOn();
      }
    });
    return () => {
      unfollow();
      reading?.stop();
    };
  };
};

export const flow = (world: World) =>
  catalogueMachine.provide({
    actors: {
      list: channelPort<ListCommand, ListFact>(openListIn(world), (problem) => ({ type: 'list.failed', problem })),
      facets: facetsMachine.provide({
        actors: {
          facets: requestPort<Facets, { query: ListQuery }>(async ({ input: { query }, signal }) => {
            const categoryId = await categoryIdOf(world, query);
            return facetsOf(await world.api(), query, categoryId, signal);
          }),
        },
      }),
    },
  });
