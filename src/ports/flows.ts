import type { AnyStateMachine } from 'xstate';
import { flows } from '../../machines/flows.ts';
import type { FlowName } from '../../machines/model/route.ts';
import { requestPort } from '../../machines/ports.ts';
import { lateMachine } from './late-machine.ts';

/** Each flow's machine with the world behind its ports: a part of the program of its own. */
const parts: Record<FlowName, () => Promise<{ flow: AnyStateMachine }>> = {
  landing: () => import('./landing.ts'),
  catalogue: () => import('./catalogue.ts'),
  title: () => import('./title.ts'),
  signIn: () => import('./sign-in.ts'),
  signUp: () => import('./sign-up.ts'),
  checkout: () => import('./checkout.ts'),
  receipt: () => import('./receipt.ts'),
  library: () => import('./library.ts'),
  viewer: () => import('./viewer.ts'),
  information: async () => ({ flow: (await import('../../machines/still.ts')).informationMachine }),
  notFound: async () => ({ flow: (await import('../../machines/still.ts')).notFoundMachine }),
};

const late = Object.fromEntries(Object.keys(parts).map((name) => [name, lateMachine()])) as Record<
  FlowName,
  ReturnType<typeof lateMachine>
>;

/** Stand-ins that become the machines once these are there. */
export const lateFlows = Object.fromEntries(
  Object.entries(late).map(([name, { machine }]) => [name, machine]),
) as unknown as typeof flows;

/** Fetches a flow's machine; together with its screens, before the app starts it. */
export const fetchFlow = async (flow: FlowName): Promise<void> => {
  late[flow].arrive((await parts[flow]()).flow);
};

export const fetchFlowPort = (fetchScreens: (flow: FlowName) => Promise<void>) =>
  requestPort<null, { flow: FlowName }>(async ({ input: { flow } }) => {
    await Promise.all([fetchFlow(flow), fetchScreens(flow)]);
    return null;
  });
