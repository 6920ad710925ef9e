import type { AnyStateMachine } from 'xstate';
import { toFolderName, type FlowName } from '../../../machines/flows/registry.ts';
import type { PageName } from '../../views/page-name.ts';
import { registerScreens, type FlowScreens } from './flow-screens.ts';
import type { LazyMachines } from './lazy-machines.ts';
import type { AppEnvironment } from './environment.ts';

/** A machine, or a function that provides its ports from an app environment. */
type Flow = AnyStateMachine | ((environment: AppEnvironment) => AnyStateMachine);

/**
 * The exports of `src/flows/<flow>/index.ts` or `.tsx`: the machine with its ports, its screens,
 * and the page's name.
 */
type FlowModule = { flow: Flow; Screens: FlowScreens; pageName?: PageName<never> };

/** The loader of each flow's chunk, by path. */
export type FlowModules = Record<string, () => Promise<FlowModule>>;

/** The chunks of all flows. */
export const allFlowModules: FlowModules = import.meta.glob<FlowModule>('/src/flows/*/index.{ts,tsx}');

/** Loads the chunk of a flow's machine, ports and screens. */
const fetchFlowModule = (parts: FlowModules, folder: string): Promise<FlowModule> => {
  const path = `/src/flows/${folder}/index.ts`;
  const loadChunk = parts[path] ?? parts[`${path}x`];
  if (loadChunk === undefined) throw new Error(`Neither ${path} nor ${path}x exists.`);
  return loadChunk();
};

const isServerReachable = (): Promise<boolean> =>
  fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );

type FlowFetcherOptions = {
  environment: AppEnvironment;
  parts: FlowModules;
  /** Loads the translations of a flow's folder. */
  loadFlowTranslations: (folder: string) => Promise<void>;
  register: LazyMachines['register'];
};

/** Creates the loaders of flows. */
export const createFlowFetcher = ({ environment, parts, loadFlowTranslations, register }: FlowFetcherOptions) => {
  /**
   * Loads a flow's chunk and translations; the app's machine starts the flow only when both are
   * loaded.
   */
  const fetchFlow = async (name: FlowName): Promise<void> => {
    const folder = toFolderName(name);
    const [{ flow, Screens, pageName }] = await Promise.all([fetchFlowModule(parts, folder), loadFlowTranslations(folder)]);
    // The state of the flow's ports survives repeated loads of the chunk.
    register(name, typeof flow === 'function' ? environment.scoped(flow) : flow);
    registerScreens(name, Screens, pageName);
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
      if (!(await isServerReachable())) throw error;
      location.reload();
      return new Promise(() => {});
    }
  };

  return { fetchFlow, fetchFlowAgain };
};

export type FlowFetcher = ReturnType<typeof createFlowFetcher>;
