import { installShippedChromium, findSystemChromium } from '../start/programs.mjs';

/** Options for Playwright's launch of the browser. */
export type BrowserLaunch = { executablePath: string; args: string[] };

// Disables background work that would use the network or the CPU during a test.
const quietFlags = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/**
 * The launch options for the system's Chromium if there is one, else for that of the npm package,
 * which `COLOPHON_SHIPPED_CHROMIUM=1` forces.
 */
export async function getBrowserLaunch(): Promise<BrowserLaunch> {
  const sandboxFlags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return {
    executablePath: (await findSystemChromium()) ?? (await installShippedChromium()),
    args: [...sandboxFlags, ...quietFlags],
  };
}
