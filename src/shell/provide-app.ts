import type { EventObject } from 'xstate';
import { appMachine, type RefusalFact } from '../../machines/app/app.ts';
import { locationMachine } from '../../machines/app/location.ts';
import type { FlowName } from '../flows/registry.ts';
import { channelPort, requestPort, safePort } from '../../machines/ports.ts';
import { screenMachine } from '../../machines/app/screen.ts';
import { onRefused } from '../client/open-client.ts';
import { historyPort, type Routing } from '../history/history.ts';
import type { translationsOf } from './language.ts';
import type { FlowFetcher } from './fetch-flow.ts';
import { lateFlows, lateFrame } from './late-machines.ts';
import { session } from './session.ts';
import { boot, categories } from './store.ts';

type Outside = Routing &
  FlowFetcher & {
    /** Fetches the frame's machine and components, when it is time. */
    fetchFrame: () => Promise<void>;
    language: ReturnType<typeof translationsOf>['language'];
  };

/** The shop with the world behind its ports. */
export const provideApp = ({ fetchFlow, fetchFlowAgain, fetchFrame, language, ...routing }: Outside) =>
  appMachine.provide({
    actors: {
      frame: lateFrame,
      boot,
      session,
      language,
      location: locationMachine.provide({ actors: { history: historyPort(routing) } }),
      refusals: channelPort<EventObject, RefusalFact>(({ sendBack }) =>
        onRefused((refused, call) => sendBack({ type: `${refused}.refused`, call })),
      ),
      categories,
      screen: screenMachine.provide({
        actors: {
          ...lateFlows,
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
