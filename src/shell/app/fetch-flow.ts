import type { AnyStateMachine } from 'xstate';
import { folderOf, type FlowName } from '../../../machines/flows/registry.ts';
import type { PageName } from '../../views/page-name.ts';
import { keepScreens, type FlowScreens } from './flow-screens.ts';
import type { LazyMachines } from './late-machines.ts';
import type { AppEnvironment } from './world.ts';

/** A machine, or a function that provides its ports from an app environment. */
type Flow = AnyStateMachine | ((environment: AppEnvironment) => AnyStateMachine);

/**
 * The exports of `src/flows/<flow>/index.ts` (or `.tsx`): the machine with its ports, its screens,
 * and the page's name.
 */
type Part = { flow: Flow; Screens: FlowScreens; pageName?: PageName<never> };

/** The loader of each flow's chunk, by path. */
export type Parts = Record<string, () => Promise<Part>>;

/** The chunks of all flows. */
export const allParts: Parts = import.meta.glob<Part>('/src/flows/*/index.{ts,tsx}');

/** Each flow's machine, ports and screens are one chunk. */
const partOf = (parts: Parts, folder: string): Promise<Part> => {
  const fetch = parts[`/src/flows/${folder}/index.ts`] ?? parts[`/src/flows/${folder}/index.tsx`];
  if (fetch === undefined) throw new Error(`There is no index.ts in src/flows/${folder}.`);
  return fetch();
};

const serverAnswers = (): Promise<boolean> =>
  fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );

type Needs = {
  environment: AppEnvironment;
  parts: Parts;
  /** Loads the translations of a flow's folder. */
  loadFlowTranslations: (folder: string) => Promise<void>;
  register: LazyMachines['register'];
};

/** Creates the loaders of flows. */
export const flowFetcher = ({ environment, parts, loadFlowTranslations, register }: Needs) => {
  /**
   * Loads a flow's chunk and its translations; the app's machine starts the flow only when both are
   * loaded.
   */
  const fetchFlow = async (name: FlowName): Promise<void> => {
    const folder = folderOf(name);
    const [{ flow, Screens, pageName }] = await Promise.all([partOf(parts, folder), loadFlowTranslations(folder)]);
    // Its state survives repeated loads of the chunk.
    register(name, typeof flow === 'function' ? environment.scoped(flow) : flow);
    keepScreens(name, Screens, pageName);
  };

  /**
   * Loads a flow's chunk again after a failure. A browser may cache the failed import, and a newer
   * build has chunks with other names: if the server is reachable and the chunk is missing, the
   * page reloads, and this never settles.
   */
  const fetchFlowAgain = async (name: FlowName): Promise<void> => {
    try {
      await fetchFlow(name);
    } catch (error) {
      if (!(await serverAnswers())) throw error;
      location.reload();
      return new Promise(() => {});
    }
  };

  return { fetchFlow, fetchFlowAgain };
};

export type FlowFetcher = ReturnType<typeof flowFetcher>;
