import type { PaintAnswer, PaintCall, PaintTask, UsedAnswer } from '../../machines/model/store/painting.ts';
import type { World } from '../shell/app/world.ts';
import { visitorWorld } from './visit.ts';

export type ServerWorld = World & {
  /** What was answered so far, in the order in which it was asked. */
  answers: UsedAnswer[];
};

/** The world of one page that the server paints for a visitor: its calls are answered by this very server. */
export const createServerWorld = (task: PaintTask, call: (call: PaintCall) => Promise<PaintAnswer>): ServerWorld => {
  const answers: UsedAnswer[] = [];
  const world = visitorWorld(task, async (request) => {
    const url = new URL(request.url);
    if (request.method !== 'GET' || url.origin !== task.origin)
      throw new TypeError('A page that is painted only reads from its own server.');
    const path = url.pathname + url.search;
    const { status, type, text } = await call({ path, language: request.headers.get('accept-language') ?? task.language });
    // That there is no such thing, or that it is asked for wrongly, is an answer, too; a browser asks again for what has failed.
    if ([200, 400, 404].includes(status)) answers.push({ call: path, status, type, text });
    return new Response(status === 204 ? null : text, { status, headers: { 'content-type': type } });
  });
  return { ...world, answers };
};
