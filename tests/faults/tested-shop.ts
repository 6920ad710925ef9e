import type { ShopPlace } from '../../tools/shop/running-shop.ts';
import type { Leftover } from './leftovers.ts';

/** SIGKILL to the process, or the end of all its connections to the database. */
export type KillTarget = 'process' | 'connections';

/** The shop that errands are run in: one process, or several behind a proxy. */
export type TestedShop = ShopPlace & {
  /** Aims at the process that gets the next call of this path. */
  aim(path: string): {
    /** Resolves when the process, or each of its connections, is dead. */
    kill(target: KillTarget): Promise<void>;
  };
  /** Resolves when there is a process that customers reach. */
  isThere(): Promise<void>;
  /** Resolves when every process is back, with its database. */
  isWhole(): Promise<void>;
  /** Runs the last sweeps. @returns everything that they should have finished */
  settle(): Promise<Leftover[]>;
  remove(): Promise<void>;
};
