import * as v from 'valibot';
import {
  createActor,
  setup,
  type ActorRefFrom,
  type AnyEventObject,
  type AnyStateMachine,
  type EventObject,
  type InputFrom,
  type NonReducibleUnknown,
} from 'xstate';
import type { FlowInput } from '../../../machines/flows/flow-input.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { StoreProperties } from '../../../machines/model/store/store.ts';
import { channelPort, requestPort } from '../../../machines/ports.ts';

/** Starts a flow as the app does: below a parent actor, which records the events from the flow. */
export const startUnderShop = <Machine extends AnyStateMachine>(machine: Machine, input: InputFrom<Machine>) => {
  const receivedEvents: AnyEventObject[] = [];
  const flow: AnyStateMachine = machine;
  const shop = createActor(
    setup({ actors: { flow } }).createMachine({
      invoke: { id: 'flow', src: 'flow', input },
      on: { '*': { actions: ({ event }) => void receivedEvents.push(event) } },
    }),
  ).start();
  return { actor: shop.getSnapshot().children['flow'] as ActorRefFrom<Machine>, receivedEvents };
};

export type Port<Output, Input extends NonReducibleUnknown> = ReturnType<typeof requestPort<Output, Input>>;

/** A request port that answers at once; its type is inferred from where it is used. */
export const answeringPort = <Output, Input extends NonReducibleUnknown>(output: NoInfer<Output>): Port<Output, Input> =>
  requestPort<Output, Input>(async () => output);

/** A request port that rejects at once. */
export const rejectingPort = <Output, Input extends NonReducibleUnknown>(problem: Problem): Port<Output, Input> =>
  requestPort<Output, Input>(() => Promise.reject(problem));

/** A request port that never answers. */
export const pendingPort = <Output, Input extends NonReducibleUnknown>(): Port<Output, Input> =>
  requestPort<Output, Input>(() => new Promise<Output>(() => undefined));

/** A channel port that records its inputs and commands, and sends facts for the test. */
export const createControlledChannel = <Command extends EventObject, Fact extends EventObject, Input>() => {
  const commands: Command[] = [];
  const inputs: Input[] = [];
  let sendFact: (fact: Fact) => void = () => undefined;
  const port = channelPort<Command, Fact, Input & object>(({ input, sendBack, receive }) => {
    inputs.push(input);
    sendFact = sendBack;
    receive((command) => void commands.push(command));
  });
  return { port, commands, inputs, say: (fact: Fact) => sendFact(fact) };
};

export const store = v.parse(StoreProperties, {
  shelfId: 'demo',
  additions: ['user/data', 'user/wishlist'],
  shelfName: 'The Lamplight Press',
  shelfColor: '#7a3b2e',
  enableAudioTitle: true,
  enableVideoTitle: true,
  myLibrarySortOptions: [
    { text: 'Recently read', value: 'recent' },
    { text: 'Title', value: 'name' },
  ],
});

export const makeFlowInput = (params: Record<string, string> = {}, overrides: Partial<FlowInput> = {}): FlowInput => ({
  route: { flow: 'purchase', path: '/', params, query: {}, access: 'public', hides: [] },
  signedIn: true,
  resume: null,
  store,
  ...overrides,
});
