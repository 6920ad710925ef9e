import type { MessagePort } from 'node:worker_threads';
import type { PaintAnswer, PaintCall, Painted, PaintTask } from '../../machines/model/store/painting.ts';

/** `program` is the address of the built program that paints; `port` leads to whoever answers its calls. */
export type PaintJob = { program: string; task: PaintTask; port: MessagePort };

export type Asked = PaintCall & { id: number };
export type Told = { id: number; answer: PaintAnswer } | { id: number; failed: string };

/** What `src/painting/paint.tsx` exports once it is built. */
type Program = {
  paint(task: PaintTask, call: (call: PaintCall) => Promise<PaintAnswer>): Promise<Painted | null>;
};

/** Paints a first screen on a thread of its own; its calls are answered by the thread that serves. */
export async function paintPage({ program, task, port }: PaintJob): Promise<Painted | null> {
  const { paint } = (await import(program)) as Program;
  const open = new Map<number, PromiseWithResolvers<PaintAnswer>>();
  port.on('message', (told: Told) => {
    const waiting = open.get(told.id);
    open.delete(told.id);
    if ('answer' in told) waiting?.resolve(told.answer);
    else waiting?.reject(new Error(told.failed));
  });
  let last = 0;
  try {
    return await paint(task, (call) => {
      last += 1;
      const answer = Promise.withResolvers<PaintAnswer>();
      open.set(last, answer);
      port.postMessage({ id: last, ...call } satisfies Asked);
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
