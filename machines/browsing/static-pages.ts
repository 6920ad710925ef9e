import { setup } from 'xstate';
import type { FlowInput } from '../flows/flow-input.ts';

const types = {} as { context: { params: Record<string, string> }; input: FlowInput };

/** About, terms and privacy: pages with the store's own information. */
export const informationMachine = setup({ types }).createMachine({
  id: 'information',
  context: ({ input }) => ({ params: input.route.params }),
  initial: 'shown',
  states: { shown: { meta: { spec: ['S2./about', 'S2./terms', 'S2./privacy'] } } },
});

/** The page for a path that matches no route, and for `/404` and `/500`. */
export const notFoundMachine = setup({ types }).createMachine({
  id: 'notFound',
  context: ({ input }) => ({ params: input.route.params }),
  initial: 'shown',
  states: { shown: { meta: { spec: ['S2.wrong-turn', 'S8.not-found'] } } },
});
