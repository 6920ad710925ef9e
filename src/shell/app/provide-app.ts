import type { EventObject } from 'xstate';
import { appMachine } from '../../../machines/app/app.ts';
import type { RefusalFact } from '../../../machines/app/app.ts';
import { locationMachine } from '../../../machines/app/location.ts';
import type { FlowName } from '../../../machines/flows/registry.ts';
import { channelPort, requestPort, safePort } from '../../../machines/ports.ts';
import { screenMachine } from '../../../machines/app/screen.ts';
import type { historyPort } from '../../history/history.ts';
import type { FlowFetcher } from './fetch-flow.ts';
import type { translationsOf } from '../ports/language.ts';
import type { LateMachines } from './late-machines.ts';
import type { sessionIn } from '../ports/session.ts';
import { bootIn, categoriesIn } from '../ports/store.ts';
import type { World } from './world.ts';

type Outside = FlowFetcher & {
  world: World;
  late: LateMachines;
  history: ReturnType<typeof historyPort>;
  session: ReturnType<typeof sessionIn>;
  language: ReturnType<typeof translationsOf>['language'];
  /** Fetches the frame's machine and components, when it is time. */
  fetchFrame: () => Promise<void>;
};

/** The shop with the world behind its ports. */
export const provideApp = ({ world, late, history, session, language, fetchFlow, fetchFlowAgain, fetchFrame }: Outside) =>
  appMachine.provide({
    actors: {
      frame: late.frame,
      boot: bootIn(world),
      session,
      language,
      location: locationMachine.provide({ actors: { history } }),
      refusals: channelPort<EventObject, RefusalFact>(({ sendBack }) =>
        world.onRefused((refused, call) => sendBack({ type: `${refused}.refused`, call })),
      ),
      categories: categoriesIn(world),
      screen: screenMachine.provide({
        actors: {
          ...late.flows,
          fetchFlow: requestPort<null, { flow: FlowName; isRetry: boolean }>(async ({ input: { flow, isRetry } }) => {
            await (isRetry ? fetchFlowAgain(flow) : fetchFlow(flow));
            return null;
          }),
        },
      }),
      fetchFrame: safePort<null>(
        async () => {
          await fetchFrame();
          return null;
        },
        () => null,
      ),
    },
  });
