import type { EventObject } from 'xstate';
import { appMachine, type RefusalFact } from '../../../machines/app/app.ts';
import { locationMachine } from '../../../machines/app/location.ts';
import type { FlowName } from '../../../machines/flows/registry.ts';
import { channelPort, requestPort, safePort } from '../../../machines/ports.ts';
import { screenMachine } from '../../../machines/app/screen.ts';
import type { createHistoryPort } from '../../history/history.ts';
import type { FlowFetcher } from './fetch-flow.ts';
import type { createTranslations } from '../ports/language.ts';
import type { LazyMachines } from './lazy-machines.ts';
import type { createSession } from '../ports/session.ts';
import { createBoot, createCategories } from '../ports/store.ts';
import type { AppEnvironment } from './environment.ts';

type AppDependencies = FlowFetcher & {
  environment: AppEnvironment;
  lazy: LazyMachines;
  history: ReturnType<typeof createHistoryPort>;
  session: ReturnType<typeof createSession>;
  language: ReturnType<typeof createTranslations>['language'];
  /** Loads the frame's machine and components some time after the first screen is shown. */
  fetchFrame: () => Promise<void>;
};

/** The shop's machine with its ports provided from an environment. */
export const provideApp = ({
  environment,
  lazy,
  history,
  session,
  language,
  fetchFlow,
  fetchFlowAgain,
  fetchFrame,
}: AppDependencies) =>
  appMachine.provide({
    actors: {
      frame: lazy.frame,
      boot: createBoot(environment),
      session,
      language,
      location: locationMachine.provide({ actors: { history } }),
      refusals: channelPort<EventObject, RefusalFact>(({ sendBack }) =>
        environment.onRefused((kind, call) => sendBack({ type: `${kind}.refused`, call })),
      ),
      categories: createCategories(environment),
      screen: screenMachine.provide({
        actors: {
          ...lazy.flows,
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
