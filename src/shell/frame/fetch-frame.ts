import type { FlowDefinition } from '../../../machines/flows/flow-definition.ts';
import { flows } from '../../../machines/flows/registry.ts';
import type { FlowFetcher } from '../app/fetch-flow.ts';
import { afterInteraction } from '../../trace/trace-buffer.ts';
import type { LateMachines } from '../app/late-machines.ts';
import { keepFrameComponents } from './use-frame.ts';
import type { World } from '../app/world.ts';

/** Whether the customer has told the browser to fetch no more than it must. */
const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

const settled = (after?: number): Promise<void> => new Promise((resolve) => afterInteraction(resolve, after));

type Needs = Pick<FlowFetcher, 'fetchFlow'> & {
  world: World;
  register: LateMachines['register'];
  /** The flow that the visit begins with. */
  first: string;
};

/** How the frame is fetched, and after it, with `fetchFlow`, the flows to which most customers go next. */
export const frameFetcher = ({ fetchFlow, world, register, first }: Needs) => {
  // A customer's lists show no prices before it knows which titles are theirs.
  const isNeeded = world.token() !== null || flows.some(({ name, needsFrame }: FlowDefinition) => name === first && needsFrame);

  const fetchParts = async (): Promise<void> => {
    const { frame, components } = await import('./frame-chunk.ts');
    register('frame', frame(world));
    keepFrameComponents(components);
    // Where most customers go next; the others lose only a few KB.
    if (!savesData()) for (const next of ['catalogue', 'title'] as const) fetchFlow(next).catch(() => {});
  };

  /**
   * Fetches the frame a moment after the first screen is shown, or as soon as the browser is idle where that needs it, and for customers. If that fails, it tries again at
   * the customer's next action, or after a while.
   */
  const fetchFrame = async (after = isNeeded ? 0 : undefined): Promise<void> => {
    await world.stands;
    await settled(after);
    return fetchParts().catch(() => fetchFrame(15_000));
  };
  return fetchFrame;
};
