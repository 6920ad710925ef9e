import type { FlowDefinition } from '../../../machines/flows/flow-definition.ts';
import { flows } from '../../../machines/flows/registry.ts';
import type { FlowFetcher } from '../app/fetch-flow.ts';
import { afterInteraction } from '../../trace/trace-buffer.ts';
import type { LazyMachines } from '../app/late-machines.ts';
import { keepFrameComponents } from './use-frame.ts';
import type { AppEnvironment } from '../app/world.ts';

/** Whether the customer's browser asks for reduced data usage (`saveData`). */
const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

const settled = (after?: number): Promise<void> => new Promise((resolve) => afterInteraction(resolve, after));

type Needs = Pick<FlowFetcher, 'fetchFlow'> & {
  environment: AppEnvironment;
  register: LazyMachines['register'];
  /** The flow that the visit starts with. */
  first: string;
};

/**
 * Creates the loader of the frame and, after it, with `fetchFlow`, of the flows that most customers
 * open next.
 */
export const frameFetcher = ({ fetchFlow, environment, register, first }: Needs) => {
  // A customer's lists show no prices before the frame knows which titles they own.
  const isNeeded = environment.token() !== null || flows.some(({ name, needsFrame }: FlowDefinition) => name === first && needsFrame);

  const fetchParts = async (): Promise<void> => {
    const { frame, components } = await import('./frame-chunk.ts');
    register('frame', frame(environment));
    keepFrameComponents(components);
    // The flows that most customers open next; for the others that costs only a few KB.
    if (!savesData()) for (const next of ['catalogue', 'title'] as const) fetchFlow(next).catch(() => {});
  };

  /**
   * Loads the frame a moment after the first screen is shown, or at once where that screen needs
   * it, and for customers. After a failure it retries at the customer's next action, or after a
   * while.
   */
  const fetchFrame = async (after = isNeeded ? 0 : undefined): Promise<void> => {
    await environment.firstScreenReady;
    await settled(after);
    return fetchParts().catch(() => fetchFrame(15_000));
  };
  return fetchFrame;
};
