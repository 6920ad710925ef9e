import type { FlowFetcher } from './fetch-flow.ts';
import { afterInteraction } from '../trace/trace-buffer.ts';
import { register } from './late-machines.ts';
import { keepFrameComponents } from './use-frame.ts';

/** Whether the customer has told the browser to fetch no more than it must. */
const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

const settled = (after?: number): Promise<void> => new Promise((resolve) => afterInteraction(resolve, after));

/** How the frame is fetched, and after it, with `fetchFlow`, the flows to which most customers go next. */
export const frameFetcher = ({ fetchFlow }: Pick<FlowFetcher, 'fetchFlow'>) => {
  const fetchParts = async (): Promise<void> => {
    const { frame, components } = await import('./frame-chunk.ts');
    register('frame', frame);
    keepFrameComponents(components);
    // Where most customers go next; the others lose only a few KB.
    if (!savesData()) for (const next of ['catalogue', 'title'] as const) fetchFlow(next).catch(() => {});
  };

  /**
   * Fetches the frame, which nobody waits for, a moment after the first screen is shown. If that fails, it tries again at the
   * customer's next action, or after a while.
   */
  const fetchFrame = async (after?: number): Promise<void> => {
    await settled(after);
    return fetchParts().catch(() => fetchFrame(15_000));
  };
  return fetchFrame;
};
