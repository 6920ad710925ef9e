import type { AnyStateMachine } from 'xstate';
import { folderOf, type FlowName } from '../../../machines/flows/registry.ts';
import type { PageName } from '../../views/page-name.ts';
import { keepScreens, type FlowScreens } from './flow-screens.ts';
import type { LateMachines } from './late-machines.ts';
import type { World } from './world.ts';

/** A machine, or what gives it its ports in a world. */
type Flow = AnyStateMachine | ((world: World) => AnyStateMachine);

/** What `src/flows/<flow>/index.ts` (or `.tsx`) exports: the machine with its ports, its screens, and what the page is called. */
type Part = { flow: Flow; Screens: FlowScreens; pageName?: PageName<never> };

/** How each flow's part is fetched, by its path. */
export type Parts = Record<string, () => Promise<Part>>;

/** Those of all flows. */
export const allParts: Parts = import.meta.glob<Part>('/src/flows/*/index.{ts,tsx}');

/** Each flow's machine, ports and screens are one part of the program. */
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
  world: World;
  parts: Parts;
  /** Fetches the translations of a flow's folder. */
  loadFlowTranslations: (folder: string) => Promise<void>;
  register: LateMachines['register'];
};

/** How flows are fetched. */
export const flowFetcher = ({ world, parts, loadFlowTranslations, register }: Needs) => {
  /** Fetches a flow's part and its translations; the app's machine starts the flow only when both are there. */
  const fetchFlow = async (name: FlowName): Promise<void> => {
    const folder = folderOf(name);
    const [{ flow, Screens, pageName }] = await Promise.all([partOf(parts, folder), loadFlowTranslations(folder)]);
    // What it remembers stays, however often its part is fetched.
    register(name, typeof flow === 'function' ? world.own(flow) : flow);
    keepScreens(name, Screens, pageName);
  };

  /**
   * Fetches a flow's part after it has failed. A browser may remember a part that did not come, and a newer build has parts
   * of other names: when the server is there and the part is not, the page is reloaded, and this never settles.
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
