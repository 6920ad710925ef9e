import type { FlowDefinition } from '../../../machines/flows/flow-definition.ts';
import { flows } from '../../../machines/flows/registry.ts';
import type { FlowFetcher } from '../app/fetch-flow.ts';
import { onIdleAfterInteraction } from '../../trace/trace-buffer.ts';
import type { LazyMachines } from '../app/lazy-machines.ts';
import { registerFrameComponents } from './use-frame.ts';
import type { AppEnvironment } from '../app/environment.ts';

/** Whether the customer's browser asks for reduced data usage (`saveData`). */
const isSavingData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

const whenInteractionSettled = (maxWaitMs?: number): Promise<void> =>
  new Promise((resolve) => onIdleAfterInteraction(resolve, maxWaitMs));

type FrameFetcherOptions = Pick<FlowFetcher, 'fetchFlow'> & {
  environment: AppEnvironment;
  register: LazyMachines['register'];
  /** The flow that the visit starts with. */
  firstFlow: string;
};

/**
 * Creates the loader of the frame and, after it, with `fetchFlow`, of the flows that most customers
 * open next.
 */
export const createFrameFetcher = ({ fetchFlow, environment, register, firstFlow }: FrameFetcherOptions) => {
  // Lists show a customer no prices before the frame has loaded which titles the customer owns.
  const isNeededAtOnce =
    environment.token() !== null || flows.some(({ name, needsFrame }: FlowDefinition) => name === firstFlow && needsFrame);

  const loadFrameChunk = async (): Promise<void> => {
    const { createFrame, frameComponents } = await import('./frame-chunk.ts');
    register('frame', createFrame(environment));
    registerFrameComponents(frameComponents);
    // Preloads the flows that most customers open next, which are only a few KB.
    if (!isSavingData()) for (const next of ['catalogue', 'title'] as const) fetchFlow(next).catch(() => {});
  };

  /**
   * Loads the frame a moment after the first screen is shown; for a customer, or where that screen
   * needs it, as soon as the browser is idle. After a failure it retries after the customer's next
   * input, at the latest after 15 seconds.
   */
  const fetchFrame = async (maxWaitMs = isNeededAtOnce ? 0 : undefined): Promise<void> => {
    await environment.firstScreenReady;
    await whenInteractionSettled(maxWaitMs);
    return loadFrameChunk().catch(() => fetchFrame(15_000));
  };
  return fetchFrame;
};
