import { setup } from 'xstate';
import type { FlowInput } from '../flows/flow-input.ts';

const types = {} as { context: { params: Record<string, string> }; input: FlowInput };

/** About, terms and privacy: pages that only show what the store says of itself. */
export const informationMachine = setup({ types }).createMachine({
  id: 'information',
  context: ({ input }) => ({ params: input.route.params }),
  initial: 'shown',
  states: { shown: { meta: { spec: ['S2./about', 'S2./terms', 'S2./privacy'] } } },
});

/** A path that leads nowhere. */
export const notFoundMachine = setup({ types }).createMachine({
  id: 'notFound',
  context: ({ input }) => ({ params: input.route.params }),
  initial: 'shown',
  states: { shown: { meta: { spec: ['S2.wrong-turn', 'S8.not-found'] } } },
});
