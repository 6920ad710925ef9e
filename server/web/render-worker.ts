import type { MessagePort } from 'node:worker_threads';
import type { RenderResponse, RenderCall, RenderedPage, RenderTask } from '../../machines/model/store/server-rendering.ts';

/**
 * `program` is the file URL of the built rendering program; `port` leads to the thread that answers
 * its calls.
 */
export type RenderJob = { program: string; task: RenderTask; port: MessagePort };

export type RenderRequest = RenderCall & { id: number };
export type RenderReply = { id: number; answer: RenderResponse } | { id: number; failed: string };

/** The exports of `src/ssr/render.tsx` in the build. */
type Program = {
  render(task: RenderTask, call: (call: RenderCall) => Promise<RenderResponse>): Promise<RenderedPage | null>;
};

/** Renders a first screen on a worker thread; the main thread answers its API calls. */
export async function renderPage({ program, task, port }: RenderJob): Promise<RenderedPage | null> {
  const { render } = (await import(program)) as Program;
  const pendingCalls = new Map<number, PromiseWithResolvers<RenderResponse>>();
  port.on('message', (reply: RenderReply) => {
    const pendingCall = pendingCalls.get(reply.id);
    pendingCalls.delete(reply.id);
    if ('answer' in reply) pendingCall?.resolve(reply.answer);
    else pendingCall?.reject(new Error(reply.failed));
  });
  let lastId = 0;
  try {
    return await render(task, (call) => {
      lastId += 1;
      const answer = Promise.withResolvers<RenderResponse>();
      pendingCalls.set(lastId, answer);
      port.postMessage({ id: lastId, ...call } satisfies RenderRequest);
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
