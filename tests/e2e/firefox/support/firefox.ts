import { launch, type Browser, type BrowserContext, type Page } from 'puppeteer-core';
import { systemFirefox } from '../../../../tools/start/programs.mjs';

const program = await systemFirefox();

/** Why there are no stories in Firefox on this machine; null where there are. */
export const missingFirefox =
  program === null ? 'no Firefox on this machine (on Debian: apt-get install firefox-esr); its stories were not run' : null;

/** The bits of a pointer that is fine and hovers. */
const MOUSE = 6;

const preferences = {
  'intl.accept_languages': 'en-GB, en',
  // A machine without a screen has no mouse either.
  'ui.primaryPointerCapabilities': MOUSE,
  'ui.allPointerCapabilities': MOUSE,
};

/** No server of PulseAudio and no device of ALSA: recordings behave alike on every machine. */
const withoutSound = { PULSE_SERVER: 'unix:/nowhere', ALSA_CONFIG_PATH: '/dev/null' };

/** Starts the machine's Firefox, without a window or sound, and with a profile of its own. */
export async function startFirefox(): Promise<Browser> {
  if (program === null) throw new Error(missingFirefox ?? '');
  return launch({
    browser: 'firefox',
    executablePath: program,
    headless: true,
    defaultViewport: { width: 1366, height: 768 },
    extraPrefsFirefox: preferences,
    env: { ...process.env, ...withoutSound },
  });
}

/** A page of a visitor of their own, and the list that its errors are added to. */
export type Visit = { context: BrowserContext; page: Page; errors: string[] };

/** Firefox asks for it when a picture is opened as a document; pages name their own icon. */
const isAnyIcon = (url: string): boolean => new URL(url).pathname === '/favicon.ico';

/**
 * Opens a page. An HTTP status from 400 on is an error as well: Firefox does not report it as an
 * error of the console, Chromium does.
 */
export async function startVisit(firefox: Browser): Promise<Visit> {
  const context = await firefox.createBrowserContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && !isAnyIcon(response.url())) errors.push(`${response.status()} ${response.url()}`);
  });
  return { context, page, errors };
}
