import type { MessagePort } from 'node:worker_threads';
import type { PaintAnswer, PaintCall, Painted, PaintTask } from '../../machines/model/store/painting.ts';

/**
 * `program` is the path of the built rendering program; `port` leads to the thread that answers its
 * calls.
 */
export type PaintJob = { program: string; task: PaintTask; port: MessagePort };

export type RenderRequest = PaintCall & { id: number };
export type RenderReply = { id: number; answer: PaintAnswer } | { id: number; failed: string };

/** The exports of `src/painting/paint.tsx` in the build. */
type Program = {
  paint(task: PaintTask, call: (call: PaintCall) => Promise<PaintAnswer>): Promise<Painted | null>;
};

/** Renders a first screen on a worker thread; the main thread answers its API calls. */
export async function paintPage({ program, task, port }: PaintJob): Promise<Painted | null> {
  const { paint } = (await import(program)) as Program;
  const open = new Map<number, PromiseWithResolvers<PaintAnswer>>();
  port.on('message', (reply: RenderReply) => {
    const waiting = open.get(reply.id);
    open.delete(reply.id);
    if ('answer' in reply) waiting?.resolve(reply.answer);
    else waiting?.reject(new Error(reply.failed));
  });
  let last = 0;
  try {
    return await paint(task, (call) => {
      last += 1;
      const answer = Promise.withResolvers<PaintAnswer>();
      open.set(last, answer);
      port.postMessage({ id: last, ...call } satisfies RenderRequest);
      return answer.promise;
    });
  } finally {
    port.close();
  }
}

/** Loads the program, so that the first visitor does not wait for it. */
export async function warmUp({ program }: Pick<PaintJob, 'program'>): Promise<void> {
  await import(program);
}
