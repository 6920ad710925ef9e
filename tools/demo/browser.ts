import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { installShippedChromium } from '../start/programs.mjs';

const flags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
];

/** Opens a Chromium: `$CHROMIUM`, else the system's, else that of the package. */
export async function openBrowser(): Promise<Browser> {
  const installedPath = [process.env['CHROMIUM'], '/usr/bin/chromium'].find((path) => path && existsSync(path));
  if (installedPath) return chromium.launch({ executablePath: installedPath, args: flags });
  return chromium.launch({ executablePath: await installShippedChromium(), args: flags });
}
