import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import * as v from 'valibot';
import { Locale } from '../../machines/model/store/language.ts';
import type { PaintAnswer, PaintCall, Painted, PaintTask, PicturePreload } from '../../machines/model/store/painting.ts';
import { App } from '../shell/app/App.tsx';
import { PicturePreloads } from '../ui/picture-preloads.ts';
import { IsPaintedScreen } from '../views/app-actor.ts';
import { isShown, isWhole, screenKey, whenAtRest } from './at-rest.ts';
import { paintedParts } from './painted-parts.ts';
import { createServerWorld } from './server-world.ts';
import { shownBy } from './shown.ts';
import { stylesOf } from './styles.ts';
import { startVisit } from './visit.ts';

/**
 * React writes titles and hints before all other markup. The page's head has its own, so that they
 * end where the root element begins.
 */
const ROOT = '<div id="root" ';

const rootIn = (markup: string): string => {
  const at = markup.indexOf(ROOT);
  if (at === -1) throw new Error(`React has not written ${ROOT}`);
  return markup.slice(at);
};

/**
 * Runs the shop's machine for a visitor's address until it has nothing left to do, and draws the screen that it stands at.
 * @param call asks this server's own API
 * @param longest milliseconds that the screen may take to come to rest
 * @returns null for an address whose screen is not one that this server may paint
 */
export async function paint(
  task: PaintTask,
  call: (call: PaintCall) => Promise<PaintAnswer>,
  longest = 2_000,
): Promise<Painted | null> {
  const { look, supportEmail } = task;
  const world = createServerWorld(task, call);
  const elsewhere = new AbortController();
  const { actor, i18n } = await startVisit({
    world,
    parts: paintedParts,
    language: v.parse(Locale, task.language),
    look,
    supportEmail,
    leave: () => elsewhere.abort(),
  });
  try {
    const isAtRest = await whenAtRest(actor, world, AbortSignal.any([elsewhere.signal, AbortSignal.timeout(longest)])).then(
      () => true,
      () => false,
    );
    // What failed is for the browser to ask again; what leads elsewhere, or takes long, is for it to follow: a screen that still
    // waits for an answer would never be the one that the browser stands at.
    if (!isAtRest || !isShown(actor) || !isWhole(actor)) return null;
    const shown = shownBy(actor);
    const preloads = new Map<string, PicturePreload>();
    const failures: unknown[] = [];
    const cache = createCache({ key: 'css' });
    cache.compat = true;
    const { prelude } = await prerender(
      <CacheProvider value={cache}>
        <PicturePreloads value={(picture) => void preloads.set(picture.src, picture)}>
          <div id="root" data-painted={screenKey(actor)}>
            <StrictMode>
              <IsPaintedScreen value>
                <App actor={actor} i18n={i18n} saveRecord={() => {}} />
              </IsPaintedScreen>
            </StrictMode>
          </div>
        </PicturePreloads>
      </CacheProvider>,
      // A boundary that were sent behind the rest would need a script to be put in its place.
      { progressiveChunkSize: Number.POSITIVE_INFINITY, onError: (error) => void failures.push(error) },
    );
    const html = rootIn(await new Response(prelude).text());
    if (failures.length > 0) throw failures[0];
    return { html, preloads: [...preloads.values()], styles: stylesOf(cache), answers: world.answers, ...shown };
  } finally {
    actor.stop();
  }
}
