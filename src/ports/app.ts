import { appMachine } from '../../machines/app.ts';
import { locationMachine } from '../../machines/location.ts';
import type { FlowName, Route } from '../../machines/model/route.ts';
import { requestPort } from '../../machines/ports.ts';
import { historyPort } from './history.ts';
import { language } from './language.ts';
import { lateFlows } from './late-flows.ts';
import { session } from './session.ts';
import { boot, categories } from './store.ts';
import { viewportPort } from './viewport.ts';

type Outside = {
  routeOf: (address: { pathname: string; search: string }) => Route;
  /** Fetches a flow's machine and screens. */
  fetchFlow: (flow: FlowName) => Promise<void>;
};

/** The shop with the world behind its ports. */
export const provideApp = ({ routeOf, fetchFlow }: Outside) =>
  appMachine.provide({
    actors: {
      ...lateFlows,
      boot,
      session,
      language,
      location: locationMachine.provide({ actors: { history: historyPort(routeOf) } }),
      viewport: viewportPort,
      categories,
      fetchFlow: requestPort<null, { flow: FlowName }>(async ({ input }) => {
        await fetchFlow(input.flow);
        return null;
      }),
    },
  });
