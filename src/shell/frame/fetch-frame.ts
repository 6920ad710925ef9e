import type { FlowDefinition } from '../../../machines/flows/flow-definition.ts';
import { flows } from '../../../machines/flows/registry.ts';
import type { FlowFetcher } from '../app/fetch-flow.ts';
import { onIdleAfterInteraction } from '../../trace/trace-buffer.ts';
import type { LazyMachines } from '../app/lazy-machines.ts';
import { registerFrameComponents } from './use-frame.ts';
import type { AppEnvironment } from '../app/environment.ts';

/** Whether the customer's browser asks for reduced data usage (`saveData`). */
const isSavingData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

const whenInteractionSettled = (after?: number): Promise<void> =>
  new Promise((resolve) => onIdleAfterInteraction(resolve, after));

type FrameFetcherOptions = Pick<FlowFetcher, 'fetchFlow'> & {
  environment: AppEnvironment;
  register: LazyMachines['register'];
  /** The flow that the visit starts with. */
  first: string;
};

/**
 * Creates the loader of the frame and, after it, with `fetchFlow`, of the flows that most customers
 * open next.
 */
export const createFrameFetcher = ({ fetchFlow, environment, register, first }: FrameFetcherOptions) => {
  // A customer's lists show no prices before the frame knows which titles they own.
  const isNeeded =
    environment.token() !== null || flows.some(({ name, needsFrame }: FlowDefinition) => name === first && needsFrame);

  const fetchParts = async (): Promise<void> => {
    const { createFrame, frameComponents } = await import('./frame-chunk.ts');
    register('frame', createFrame(environment));
    registerFrameComponents(frameComponents);
    // The flows that most customers open next; for the others that costs only a few KB.
    if (!isSavingData()) for (const next of ['catalogue', 'title'] as const) fetchFlow(next).catch(() => {});
  };

  /**
   * Loads the frame a moment after the first screen is shown, or at once where that screen needs
   * it, and for customers. After a failure it retries at the customer's next action, or after a
   * while.
   */
  const fetchFrame = async (after = isNeeded ? 0 : undefined): Promise<void> => {
    await environment.firstScreenReady;
    await whenInteractionSettled(after);
    return fetchParts().catch(() => fetchFrame(15_000));
  };
  return fetchFrame;
};
