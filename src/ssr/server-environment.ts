import type { RenderResponse, RenderCall, RenderTask, UsedResponse } from '../../machines/model/store/server-rendering.ts';
import type { AppEnvironment } from '../shell/app/environment.ts';
import { createVisitorEnvironment } from './visit.ts';

export type ServerEnvironment = AppEnvironment & {
  /** The answers to embed in the page so far, in the order of their calls. */
  answers: UsedResponse[];
};

/**
 * The environment of one page that the server renders for a visitor: its calls are answered by this
 * server itself.
 */
export const createServerEnvironment = (
  task: RenderTask,
  call: (call: RenderCall) => Promise<RenderResponse>,
): ServerEnvironment => {
  const answers: UsedResponse[] = [];
  const environment = createVisitorEnvironment(task, async (request) => {
    const url = new URL(request.url);
    if (request.method !== 'GET' || url.origin !== task.origin)
      throw new TypeError(`Server-side rendering only reads from ${task.origin}: ${request.method} ${request.url}`);
    const path = url.pathname + url.search;
    const { status, type, text } = await call({ path, language: request.headers.get('accept-language') ?? task.language });
    // "Not found" and "bad request" are embedded, too; other failures are left out, so that the
    // browser retries their calls.
    if ([200, 400, 404].includes(status)) answers.push({ call: path, status, type, text });
    return new Response(status === 204 ? null : text, { status, headers: { 'content-type': type } });
  });
  return { ...environment, answers };
};
