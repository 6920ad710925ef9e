import { findSystemFirefox } from '../../../../tools/start/programs.mjs';
import setUpShopTemplate from '../../support/global-setup.ts';

/** Vitest's global setup of the project `firefox`: a database and data for its shop to copy. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  return (await findSystemFirefox()) === null ? undefined : setUpShopTemplate();
}
