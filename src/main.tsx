import { i18n } from '@lingui/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createActor } from 'xstate';
import { provideApp } from './ports/app.ts';
import { firstLocale, speak } from './ports/language.ts';
import { layoutNow } from './ports/viewport.ts';
import { routeOf } from './routes.ts';
import { App } from './views/shell/App.tsx';
import { preload } from './views/shell/flows.ts';

const { flow } = routeOf(location);
if (flow !== 'invalid') preload(flow);

const locale = firstLocale();
const actor = createActor(provideApp(routeOf), { id: 'app', input: { layout: layoutNow(), locale } }).start();

// Words, store and first screen are fetched side by side; nothing is drawn before there are words to draw.
const spoken = speak(locale).catch(() => speak('en'));
const root = document.querySelector('#root');
if (!root) throw new Error('The page has no #root element.');
await spoken;
createRoot(root).render(
  <StrictMode>
    <App actor={actor} i18n={i18n} />
  </StrictMode>,
);
