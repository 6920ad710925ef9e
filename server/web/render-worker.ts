import type { MessagePort } from 'node:worker_threads';
import type { RenderAnswer, RenderCall, RenderedPage, RenderTask } from '../../machines/model/store/server-rendering.ts';

/**
 * `program` is the path of the built rendering program; `port` leads to the thread that answers its
 * calls.
 */
export type RenderJob = { program: string; task: RenderTask; port: MessagePort };

export type RenderRequest = RenderCall & { id: number };
export type RenderReply = { id: number; answer: RenderAnswer } | { id: number; failed: string };

/** The exports of `src/ssr/render.tsx` in the build. */
type Program = {
  render(task: RenderTask, call: (call: RenderCall) => Promise<RenderAnswer>): Promise<RenderedPage | null>;
};

/** Renders a first screen on a worker thread; the main thread answers its API calls. */
export async function renderPage({ program, task, port }: RenderJob): Promise<RenderedPage | null> {
  const { render } = (await import(program)) as Program;
  const open = new Map<number, PromiseWithResolvers<RenderAnswer>>();
  port.on('message', (reply: RenderReply) => {
    const waiting = open.get(reply.id);
    open.delete(reply.id);
    if ('answer' in reply) waiting?.resolve(reply.answer);
    else waiting?.reject(new Error(reply.failed));
  });
  let last = 0;
  try {
    return await render(task, (call) => {
      last += 1;
      const answer = Promise.withResolvers<RenderAnswer>();
      open.set(last, answer);
      port.postMessage({ id: last, ...call } satisfies RenderRequest);
      return answer.promise;
    });
  } finally {
    port.close();
  }
}

/** Loads the program, so that the first visitor does not wait for it. */
export async function warmUp({ program }: Pick<RenderJob, 'program'>): Promise<void> {
  await import(program);
}
