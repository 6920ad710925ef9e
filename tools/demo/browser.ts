import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const flags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
];

/** A Chromium: `$CHROMIUM`, else the system's, else the one that comes as a package. */
export async function openBrowser(): Promise<Browser> {
  const installed = [process.env['CHROMIUM'], '/usr/bin/chromium'].find((path) => path && existsSync(path));
  if (installed) return chromium.launch({ executablePath: installed, args: flags });
  process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs24.x';
  const packaged = await import('@sparticuz/chromium');
  return chromium.launch({ executablePath: await packaged.default.executablePath(), args: flags });
}
