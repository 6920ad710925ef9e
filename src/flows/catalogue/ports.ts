import { catalogueMachine, type ListCommand, type ListFact } from '../../../machines/browsing/catalogue.ts';
import { facetsMachine } from '../../../machines/browsing/facets.ts';
import type { Facets, ListQuery } from '../../../machines/model/list.ts';
import { channelPort, requestPort } from '../../../machines/ports.ts';
import { api } from '../../client/open-client.ts';
import { facets as facetsOf } from './facets-call.ts';
import { categoryIdOf } from './find-list.ts';
import { followScrolling } from './scroll-position.ts';
import { readList } from './read-list.ts';

const openList: Parameters<typeof channelPort<ListCommand, ListFact>>[0] = ({ sendBack, receive }) => {
  let reading: ReturnType<typeof readList> | null = null;
  const unfollow = followScrolling();
  receive((command) => {
    switch (command.type) {
      case 'list.ask':
        reading?.stop();
        reading = readList(command.query, sendBack);
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

const list = channelPort<ListCommand, ListFact>(openList, (problem) => ({ type: 'list.failed', problem }));

const facets = facetsMachine.provide({
  actors: {
    facets: requestPort<Facets, { query: ListQuery }>(async ({ input: { query }, signal }) => {
      const categoryId = await categoryIdOf(query);
      return facetsOf(await api(), query, categoryId, signal);
    }),
  },
});

export const flow = catalogueMachine.provide({ actors: { list, facets } });
