import { i18n } from '@lingui/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createActor } from 'xstate';
import { provideApp } from './ports/app.ts';
import { fetchFlow } from './ports/flows.ts';
import { firstLocale, speak } from './ports/language.ts';
import { layoutNow } from './ports/viewport.ts';
import { routeOf } from './routes.ts';
import { App } from './views/shell/App.tsx';
import { fetchScreens } from './views/shell/flows.ts';

const { flow } = routeOf(location);
if (flow !== 'invalid') void Promise.allSettled([fetchFlow(flow), fetchScreens(flow)]);

const locale = firstLocale();
const machine = provideApp({ routeOf, fetchScreens });
const actor = createActor(machine, { id: 'app', input: { layout: layoutNow(), locale } }).start();

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
