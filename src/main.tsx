import { i18n } from '@lingui/core';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createActor } from 'xstate';
import { fetchFlow } from './flows/fetch-flow.ts';
import { provideApp } from './ports/app.ts';
import { firstLocale, speak } from './ports/language.ts';
import { layoutNow } from './ports/viewport.ts';
import { routeOf } from './routes.ts';
import { App } from './views/shell/App.tsx';

const locale = firstLocale();

// Words, store and first screen are fetched side by side; nothing is drawn before there are words to draw.
const spoken = speak(locale).catch(() => speak('en'));
const { flow } = routeOf(location);
// A failure is met again, and told, when the app fetches the flow.
if (flow !== 'invalid') fetchFlow(flow).catch(() => {});

const machine = provideApp({ routeOf, fetchFlow });
const actor = createActor(machine, { id: 'app', input: { layout: layoutNow(), locale } }).start();

const root = document.querySelector('#root');
if (!root) throw new Error('The page has no #root element.');
await spoken;
// The first drawing gives way to presses and to the browser's own work.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App actor={actor} i18n={i18n} />
    </StrictMode>,
  ),
);
