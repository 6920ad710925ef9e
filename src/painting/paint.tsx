import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import * as v from 'valibot';
import { Locale } from '../../machines/model/language.ts';
import type { PaintAnswer, PaintCall, Painted, PaintTask } from '../../machines/model/painting.ts';
import { App } from '../shell/App.tsx';
import { IsPaintedScreen } from '../views/app-actor.ts';
import { isShown, isWhole, screenKey, whenAtRest } from './at-rest.ts';
import { paintedParts } from './painted-parts.ts';
import { createServerWorld } from './server-world.ts';
import { stylesOf } from './styles.ts';
import { startVisit } from './visit.ts';

/** What React and the head of the page both say leads the markup: titles and hints of what to fetch. */
const inHead = /^(?:<title>[^<]*<\/title>|<link\b[^>]*>|<meta\b[^>]*>)+/;
/** Of the hints those that cannot wait for the markup: the pictures that a screen is mostly made of. */
const firstPictures = /<link rel="preload" as="image"[^>]*fetchPriority="high"[^>]*>/g;

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
    const key = screenKey(actor);
    const failures: unknown[] = [];
    const cache = createCache({ key: 'css' });
    cache.compat = true;
    const { prelude } = await prerender(
      <CacheProvider value={cache}>
        <StrictMode>
          <IsPaintedScreen value>
            <App actor={actor} i18n={i18n} saveRecord={() => {}} />
          </IsPaintedScreen>
        </StrictMode>
      </CacheProvider>,
      // A boundary that were sent behind the rest would need a script to be put in its place.
      { progressiveChunkSize: Number.POSITIVE_INFINITY, onError: (error) => void failures.push(error) },
    );
    const text = await new Response(prelude).text();
    if (failures.length > 0) throw failures[0];
    const [head = ''] = inHead.exec(text) ?? [];
    const pictures = (head.match(firstPictures) ?? []).join('');
    return { html: text.slice(head.length), pictures, styles: stylesOf(cache), key, answers: world.answers };
  } finally {
    actor.stop();
  }
}
