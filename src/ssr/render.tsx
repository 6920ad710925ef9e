import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import * as v from 'valibot';
import { Locale } from '../../machines/model/store/language.ts';
import type {
  RenderResponse,
  RenderCall,
  RenderedPage,
  RenderTask,
  PicturePreload,
} from '../../machines/model/store/server-rendering.ts';
import { App } from '../shell/app/App.tsx';
import { PicturePreloads } from '../ui/picture-preloads.ts';
import { ServerRenderedContext } from '../views/app-actor.ts';
import { isShown, hasNoProblem, stateHash, whenIdle } from './idle.ts';
import { renderedChunks } from './rendered-chunks.ts';
import { createServerEnvironment } from './server-environment.ts';
import { readScreenFacts } from './screen-facts.ts';
import { getStyles } from './styles.ts';
import { startVisit } from './visit.ts';

/**
 * The start of the root element in React's markup. Everything before it is cut off: React writes
 * titles and hints there, and the page's head has its own.
 */
const ROOT_START = '<div id="root" ';

const extractRoot = (markup: string): string => {
  const start = markup.indexOf(ROOT_START);
  if (start === -1) throw new Error(`React’s markup does not contain ${ROOT_START}`);
  return markup.slice(start);
};

/**
 * Runs the shop's machine for a visitor's address until it is idle, and renders its screen.
 * @param call calls this server's own API
 * @param maxMs milliseconds within which the shop must become idle
 * @returns null for an address whose screen this server cannot render
 */
export async function render(
  task: RenderTask,
  call: (call: RenderCall) => Promise<RenderResponse>,
  maxMs = 2_000,
): Promise<RenderedPage | null> {
  const { look, supportEmail } = task;
  const environment = createServerEnvironment(task, call);
  const redirect = new AbortController();
  const { actor, i18n } = await startVisit({
    environment,
    parts: renderedChunks,
    language: v.parse(Locale, task.language),
    look,
    supportEmail,
    leave: () => redirect.abort(),
  });
  try {
    const isIdle = await whenIdle(actor, environment, AbortSignal.any([redirect.signal, AbortSignal.timeout(maxMs)])).then(
      () => true,
      () => false,
    );
    // Failures, redirects and slow screens are left to the browser: a screen that still waits for
    // an answer would never match the browser's state.
    if (!isIdle || !isShown(actor) || !hasNoProblem(actor)) return null;
    const facts = readScreenFacts(actor);
    const preloads = new Map<string, PicturePreload>();
    const failures: unknown[] = [];
    const cache = createCache({ key: 'css' });
    cache.compat = true;
    const { prelude } = await prerender(
      <CacheProvider value={cache}>
        <PicturePreloads value={(picture) => void preloads.set(picture.src, picture)}>
          <div id="root" data-rendered={stateHash(actor)}>
            <StrictMode>
              <ServerRenderedContext value>
                <App actor={actor} i18n={i18n} saveRecord={() => {}} />
              </ServerRenderedContext>
            </StrictMode>
          </div>
        </PicturePreloads>
      </CacheProvider>,
      // A boundary streamed after the rest would need a script to move it into place.
      { progressiveChunkSize: Number.POSITIVE_INFINITY, onError: (error) => void failures.push(error) },
    );
    const html = extractRoot(await new Response(prelude).text());
    if (failures.length > 0) throw failures[0];
    return { html, preloads: [...preloads.values()], styles: getStyles(cache), answers: environment.answers, ...facts };
  } finally {
    actor.stop();
  }
}
